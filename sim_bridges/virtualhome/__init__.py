"""VirtualHome over its HTTP protocol: client, graph, cameras, images, scripts, and the World and Body made of them."""
