"""Materials and the textures they wear: seeded procedural ones and pictures read from model files.

A material is a value; textures are compared by identity, so that one picture used by a hundred triangles is stored
once in the atlas. Colours are sRGB 0…255; the renderer squares them to work in (nearly) linear light. All randomness
comes from the seed handed in.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

RGB = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Texture:
    """``pixels`` uint8 (h, w, 3) RGB; ``size``: metres one tile covers (u, v), or None when uv already runs 0…1 over
    the picture.
    """

    pixels: np.ndarray
    size: tuple[float, float] | None = None


@dataclass(frozen=True)
class Material:
    """``opacity`` below 1 lets what stands behind shine through; ``glow`` is light of its own, 0…1; ``gloss`` a
    lamp's highlight.
    """

    color: RGB
    texture: Texture | None = None
    opacity: float = 1.0
    glow: float = 0.0
    gloss: float = 0.0
    sky: float = 0.0  # shines as brightly as the day outside
    name: str = ""  # what its file calls it


def plain(r: int, g: int, b: int, *, gloss: float = 0.0, opacity: float = 1.0, glow: float = 0.0) -> Material:
    return Material((r, g, b), None, opacity, glow, gloss)


def of(texture: Texture, *, gloss: float = 0.0, glow: float = 0.0) -> Material:
    mean = texture.pixels.reshape(-1, 3).mean(axis=0)
    return Material((int(mean[0]), int(mean[1]), int(mean[2])), texture, 1.0, glow, gloss)


def _tiled_noise(rng: np.random.Generator, height: int, width: int, cells_y: int, cells_x: int, octaves: int = 4) -> np.ndarray:
    """Smooth noise that tiles, float32 (height, width) of about zero mean and unit range."""
    total = np.zeros((height, width), np.float32)
    amplitude = 1.0
    for _ in range(octaves):
        if cells_y > height or cells_x > width:
            break
        grid = rng.uniform(-1, 1, (cells_y, cells_x)).astype(np.float32)
        padded = np.pad(grid, 2, mode="wrap")
        big = cv2.resize(padded, ((cells_x + 4) * (width // cells_x), (cells_y + 4) * (height // cells_y)),
                         interpolation=cv2.INTER_CUBIC)
        y, x = 2 * (height // cells_y), 2 * (width // cells_x)
        layer = big[y:y + cells_y * (height // cells_y), x:x + cells_x * (width // cells_x)]
        total += amplitude * cv2.resize(layer, (width, height))
        amplitude *= 0.5
        cells_y, cells_x = cells_y * 2, cells_x * 2
    return total


def _tinted(base: RGB, light: np.ndarray, contrast: float) -> np.ndarray:
    shade = 1.0 + contrast * light[..., None]
    return np.clip(np.array(base, np.float32) * shade, 0, 255).astype(np.uint8)


def wood(seed: int, base: RGB, *, size: float = 0.8, contrast: float = 0.10) -> Texture:
    """Fine grain along v over broad, gently bent bands."""
    rng = np.random.default_rng(seed)
    warp = _tiled_noise(rng, 256, 256, 1, 4, 3)
    bands = np.sin(2 * np.pi * (np.arange(256)[None, :] / 256 * 5 + 0.35 * warp))
    fibre = _tiled_noise(rng, 256, 256, 2, 64, 2)
    return Texture(_tinted(base, 0.35 * bands + 0.5 * fibre, contrast), (size, size))


def lacquer(seed: int, base: RGB) -> Texture:
    """Painted board: almost plain."""
    rng = np.random.default_rng(seed)
    return Texture(_tinted(base, _tiled_noise(rng, 128, 128, 4, 16, 3), 0.015), (1.0, 1.0))


def planks(seed: int, base: RGB, *, boards: int = 8, size: float = 1.2) -> Texture:
    """A plank floor: staggered boards, each of its own tone, with dark joints."""
    rng = np.random.default_rng(seed)
    n = 512
    grain = _tiled_noise(rng, n, n, 64, 4, 3)
    tone = np.zeros((n, n), np.float32)
    dark = np.zeros((n, n), np.float32)
    high = n // boards
    for i in range(boards):
        rows = slice(i * high, (i + 1) * high)
        cut = int(rng.integers(0, n))
        for half in range(2):
            columns = (np.arange(n // 2) + cut + half * n // 2) % n
            tone[rows, columns] = rng.uniform(-1, 1)
        dark[i * high, :] = 1
        for half in range(2):
            dark[rows, (cut + half * n // 2) % n] = 1
    pixels = _tinted(base, 0.75 * tone + 0.55 * grain, 0.15).astype(np.float32)
    return Texture((pixels * (1 - 0.45 * dark[..., None])).astype(np.uint8), (size, size))


def tiles(seed: int, base: RGB, grout: RGB, *, count: int = 2, size: float = 0.6, second: RGB | None = None) -> Texture:
    """Square tiles with grout; ``second`` makes a chequerboard."""
    rng = np.random.default_rng(seed)
    n = 256
    cell = n // count
    pixels = np.zeros((n, n, 3), np.float32)
    speckle = _tiled_noise(rng, n, n, 8, 8)
    for i in range(count):
        for j in range(count):
            colour = second if second is not None and (i + j) % 2 else base
            block = (slice(i * cell, (i + 1) * cell), slice(j * cell, (j + 1) * cell))
            pixels[block] = np.array(colour, np.float32) * (1 + rng.uniform(-0.04, 0.04))
    pixels *= 1 + 0.05 * speckle[..., None]
    width = max(2, cell // 40)
    edge = (np.arange(n) % cell < width)
    pixels[edge, :] = grout
    pixels[:, edge] = grout
    return Texture(np.clip(pixels, 0, 255).astype(np.uint8), (size, size))


def plaster(seed: int, base: RGB, *, contrast: float = 0.012) -> Texture:
    rng = np.random.default_rng(seed)
    return Texture(_tinted(base, _tiled_noise(rng, 256, 256, 32, 32, 3), contrast), (1.6, 1.6))


def fabric(seed: int, base: RGB, *, size: float = 0.25, contrast: float = 0.13) -> Texture:
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:128, 0:128]
    weave = np.sign(np.sin(2 * np.pi * x / 8)) * np.sign(np.sin(2 * np.pi * y / 8)) * 0.35
    return Texture(_tinted(base, weave + 0.6 * _tiled_noise(rng, 128, 128, 8, 8), contrast), (size, size))


def stone(seed: int, base: RGB, *, contrast: float = 0.14, size: float = 0.7) -> Texture:
    rng = np.random.default_rng(seed)
    return Texture(_tinted(base, _tiled_noise(rng, 256, 256, 8, 8, 5) + 0.5 * _tiled_noise(rng, 256, 256, 64, 64, 2), contrast),
                   (size, size))


def spotted(seed: int, base: RGB, spot: RGB, *, count: int = 40, radius: tuple[int, int] = (2, 6)) -> Texture:
    """Fruit skin, crumbs, seeds: blurred spots on a ground."""
    rng = np.random.default_rng(seed)
    image = np.full((128, 128, 3), base, np.uint8)
    for _ in range(count):
        centre = (int(rng.integers(0, 128)), int(rng.integers(0, 128)))
        cv2.circle(image, centre, int(rng.integers(*radius)), spot, -1)
    return Texture(cv2.GaussianBlur(image, (5, 5), 0))


def label(base: RGB, band: RGB, text: str, ink: RGB = (255, 255, 255), *, repeat: int = 2, height: float = 0.45,
          seed: int = 0) -> Texture:
    """A wrapped package or label: ground, one broad band, the product's name ``repeat`` times round."""
    n = 256
    image = np.full((n, n, 3), base, np.uint8)
    rng = np.random.default_rng(seed)
    top, bottom = int(n * (0.5 - height / 2)), int(n * (0.5 + height / 2))
    image[top:bottom] = band
    step = n // repeat
    scale = 0.9 * step / max(1, cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)[0][0])
    for k in range(repeat):
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        cv2.putText(image, text, (k * step + (step - w) // 2, n // 2 + h // 2), cv2.FONT_HERSHEY_DUPLEX, scale, ink, 2,
                    cv2.LINE_AA)
    for _ in range(6):
        y = int(rng.integers(0, n))
        if not top - 6 < y < bottom + 6:
            cv2.line(image, (0, y), (n, y), tuple(int(c) for c in band), 2)
    return Texture(image)


def stripes(colours: tuple[RGB, ...], count: int) -> Texture:
    """``count`` vertical bands cycling through ``colours`` (spines of books, a towel)."""
    image = np.zeros((8, 16 * count, 3), np.uint8)
    for i in range(count):
        image[:, 16 * i:16 * (i + 1)] = colours[i % len(colours)]
    return Texture(image)


class Atlas:
    """Every texture of a scene in one flat array, with its smaller copies, so that all pixels are looked up at once.

    Bounded by construction: it holds the materials of one home. Texels are packed as 0x00BBGGRR.
    """

    LEVELS = 6

    def __init__(self):
        self._texels: list[np.ndarray] = []
        self._filled = 0
        self._textures: dict[int, tuple[Texture, list[tuple[int, int, int]]]] = {}
        self._index: dict[Material, int] = {}
        self._rows: list[tuple[list[tuple[int, int, int]], Material]] = []
        self._numbers: dict[int, tuple[tuple[Material, ...], np.ndarray]] = {}
        self._packed: dict[str, np.ndarray] | None = None
        self.memory: dict[tuple[int, ...], object] = {}  # for those who look things up here by the identity of arrays
        self._square = (np.arange(256, dtype=np.float32) / 255) ** 2

    def number(self, materials: tuple[Material, ...]) -> np.ndarray:
        """Material numbers int32, adding those not seen before; the same tuple is answered from memory."""
        known = self._numbers.get(id(materials))
        if known is not None and known[0] is materials:
            return known[1]
        for m in materials:
            if m not in self._index:
                self._index[m] = len(self._rows)
                self._rows.append((self._levels_of(m), m))
                self._packed = None
        out = np.array([self._index[m] for m in materials], np.int32)
        if len(self._numbers) > 4096:
            self._numbers.clear()
        self._numbers[id(materials)] = (materials, out)
        return out

    def _levels_of(self, m: Material) -> list[tuple[int, int, int]]:
        """(offset, height, width) of a material's picture and its smaller copies."""
        if m.texture is not None and id(m.texture) in self._textures:
            return self._textures[id(m.texture)][1]
        pixels = m.texture.pixels if m.texture is not None else np.array(m.color, np.uint8).reshape(1, 1, 3)
        table = []
        for level in _mip_levels(pixels, self.LEVELS):
            table.append((self._filled, *level.shape[:2]))
            flat = level.reshape(-1, 3).astype(np.uint32)
            self._texels.append(flat[:, 0] | flat[:, 1] << 8 | flat[:, 2] << 16)
            self._filled += len(flat)
        if m.texture is not None:
            self._textures[id(m.texture)] = (m.texture, table)
        return table

    def _tables(self) -> dict[str, np.ndarray]:
        if self._packed is None:
            levels = np.array([r[0] for r in self._rows], np.intp)
            self._texels = [np.concatenate(self._texels)]
            sizes = np.array(
                [m.texture.size if m.texture is not None and m.texture.size is not None else (1.0, 1.0) for _, m in self._rows])
            looks = np.array([(m.opacity, m.glow, m.gloss, m.sky) for _, m in self._rows], np.float32)
            self._packed = {
                "offset": levels[:, :, 0].ravel(), "height": levels[:, :, 1].ravel(), "width": levels[:, :, 2].ravel(),
                "scale_u": (1 / sizes[:, 0]).astype(np.float32), "scale_v": (1 / sizes[:, 1]).astype(np.float32),
                "opacity": looks[:, 0].copy(), "glow": looks[:, 1].copy(), "gloss": looks[:, 2].copy(), "sky": looks[:,
                                                                                                                     3].copy()
            }
        return self._packed

    def look(self, name: str, mat: np.ndarray) -> np.ndarray:
        """``opacity``, ``glow``, ``gloss`` or ``sky`` float32 (n,) of material numbers (n,)."""
        return self._tables()[name].take(mat)

    def sample(self, mat: np.ndarray, u: np.ndarray, v: np.ndarray, footprint: np.ndarray) -> np.ndarray:
        """Linear albedo float32 (3, n) of material numbers ``mat`` (n,) at texture coordinates ``u``, ``v`` (n,).

        ``footprint`` (n,): how much of a uv unit one pixel covers there; picks the smaller copy of the texture.
        """
        p = self._tables()
        scale = p["scale_u"].take(mat)
        base = mat * self.LEVELS
        texels = footprint * scale * p["width"].take(base)
        row = base + np.clip(np.frexp(np.maximum(texels, 1e-6))[1] - 1, 0, self.LEVELS - 1)
        height, width = p["height"].take(row), p["width"].take(row)
        u = u * scale
        v = v * p["scale_v"].take(mat)
        x = ((u - np.floor(u)) * width.astype(np.float32)).astype(np.intp)
        y = ((np.ceil(v) - v) * height.astype(np.float32)).astype(np.intp)
        at = p["offset"].take(row) + np.minimum(y, height - 1) * width + np.minimum(x, width - 1)
        packed = self._texels[0].take(at).astype(np.intp)
        return np.stack(
            [self._square.take(packed & 255),
             self._square.take(packed >> 8 & 255),
             self._square.take(packed >> 16)])


def _mip_levels(pixels: np.ndarray, count: int) -> list[np.ndarray]:
    levels = [np.ascontiguousarray(pixels)]
    while len(levels) < count:
        h, w = levels[-1].shape[:2]
        if max(h, w) == 1:
            levels.append(levels[-1])
        else:
            small = cv2.resize(levels[-1], (max(1, w // 2), max(1, h // 2)), interpolation=cv2.INTER_AREA)
            levels.append(small.reshape(max(1, h // 2), max(1, w // 2), 3))
    return levels
