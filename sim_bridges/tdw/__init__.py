"""ThreeDWorld through the ``tdw`` package: link to the build, scene, snapshots, Replicants, and the World and Body made of them."""
