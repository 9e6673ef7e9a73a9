"""Every tunable of perception, with its unit, meaning and range: one source for defaults, checks, ROS parameters and documentation.

Invariant: a PerceptionConfig that exists is valid; a wrong value is refused at once with its name, value and range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from household.parameters import check
from household.parameters import parameter as _p


class VisibilityModel(str, Enum):
    GEOMETRIC = "geometric"  # head pose, field of view, line of sight
    ROOM = "room"  # same room and not inside a closed container (VirtualHome's rule)


@dataclass(frozen=True)
class PerceptionConfig:
    # the frame
    max_range: float = _p(8.0, 0.5, 50.0, "depth beyond this is not used, m")
    min_range: float = _p(0.15, 0.0, 5.0, "depth nearer than this is not used, m")
    max_camera_speed: float = _p(2.0, 0.1, 20.0, "fastest plausible camera motion, m/s")
    pose_jump_slack: float = _p(0.5, 0.0, 10.0, "camera motion between frames always allowed, m")
    sample_points: int = _p(900, 100, 20000, "most pixels lifted per instance")
    min_score: float = _p(0.3, 0.0, 1.0, "detections below this score are dropped")
    held_score: float = _p(0.3, 0.0, 1.0, "the same for what is at somebody's wrist, where a detector is less sure of things; above min_score it is min_score")
    depth_noise: float = _p(0.0025, 0.0, 0.05, "standard deviation of depth at 1 m, m; it grows with the square of the distance")
    camera_height: float = _p(1.25, 0.1, 3.0, "height of the camera over the floor, m; used only when there is no depth")
    # the map
    voxel: float = _p(0.05, 0.02, 0.2, "edge of a voxel, m")
    map_height: float = _p(2.4, 1.0, 5.0, "the voxel map ends here, m above the floor")
    map_extent: float = _p(20.0, 4.0, 60.0, "largest side of the voxel map, m; bounds memory")
    carve_rays: int = _p(600, 0, 20000, "rays per frame that carve free space")
    # tracking
    detection_rate: float = _p(0.9, 0.05, 0.999, "chance that the detector finds an object that is in full view")
    confirm_frames: int = _p(2, 1, 20, "sightings before an object is believed to exist")
    look_gap: float = _p(0.0, 0.0, 2.0, "sightings of a thing that come sooner after the last that counted than this, s, do not count: the same mistake is made again")
    let_go_inside: float = _p(1.5, 0.0, 20.0, "s for which what somebody held seems to lie, as they held it, in what stands open before them until it is put there: hands are hardly seen in there")
    shut_on: float = _p(0.0, 0.0, 20.0, "the same since that began to shut on it, s")
    absent_probability: float = _p(0.03, 1e-6, 0.5, "an object is lost when missing it by chance so often is less likely than this")
    depth_gap: float = _p(0.0, 0.0, 2.0, "a mask is cut where its sorted depths leave a gap of this, m; its middle stays; 0: never, for masks that do not bleed")
    body_sightings: int = _p(6, 1, 50, "sightings that always suffice for a part of a piece of furniture to count; more for a detector whose masks bleed")
    new_place_score: float = _p(0.0, 0.0, 1.0, "score from which a detection may begin a piece of furniture; fainter ones only add to what is known")
    gate: float = _p(0.30, 0.05, 2.0, "an object seen within this of where it was is the same one, m")
    person_speed: float = _p(2.0, 0.3, 10.0, "fastest a person moves, m/s")
    max_things: int = _p(300, 10, 5000, "most objects remembered; the least certain are dropped first")
    # relations
    close_distance: float = _p(1.0, 0.1, 5.0, "nearer than this is close, m")
    on_tolerance: float = _p(0.05, 0.01, 0.3, "an object's underside within this of a support is on it, m")
    hand_distance: float = _p(0.14, 0.02, 0.5, "an object within this of a hand or arm may be held, m")
    relation_frames: int = _p(2, 1, 20, "frames a changed relation must last before it is believed")
    facing_half_angle: float = _p(0.45, 0.05, 1.6, "a person faces what is within this of straight ahead, rad")
    # open and closed
    open_growth: float = _p(0.15, 0.05, 0.6, "a container that grew by this is open, m")
    interior_depth: float = _p(0.12, 0.03, 0.6, "seeing this far behind a front means it is open, m")
    openness_frames: int = _p(2, 1, 20, "frames a changed openness must last before it is believed")
    # people and what they see
    visibility: VisibilityModel = field(default=VisibilityModel.GEOMETRIC, metadata={"doc": "what decides who could see what"})
    view_half_angle: float = _p(1.3, 0.2, 3.14, "half the horizontal field of view of a person, rad")
    notice_range: float = _p(1.3, 0.2, 50.0, "a person notices that something is missing from a place this near, m from its middle beside half its width")
    view_range: float = _p(10.0, 1.0, 50.0, "a person recognises things up to this far, m")
    # events
    walk_speed: float = _p(0.25, 0.05, 2.0, "a person faster than this is walking, m/s")
    walk_clear: float = _p(0.5, 0.1, 5.0, "a heading is named once it was clear for this long, s")
    reach: float = _p(1.3, 0.3, 3.0, "who opens or takes something stands within this of it, m")
    doorway_margin: float = _p(0.25, 0.0, 1.0, "a person has changed rooms once this deep in the new one, m")

    def __post_init__(self) -> None:
        check(self)
        try:
            object.__setattr__(self, "visibility", VisibilityModel(self.visibility))
        except ValueError:
            raise ValueError(f"visibility: '{self.visibility}' is none of {', '.join(m.value for m in VisibilityModel)}") from None
        if self.min_range >= self.max_range:
            raise ValueError(f"min_range: {self.min_range} is not below max_range {self.max_range}")


def suited(config: PerceptionConfig, tuning: Mapping[str, float]) -> PerceptionConfig:
    """``config`` with what a detector says of itself (:attr:`Detector.tuning`) wherever the user left the default."""
    default = PerceptionConfig()
    return replace(config, **{name: value for name, value in tuning.items() if getattr(config, name) == getattr(default, name)})
