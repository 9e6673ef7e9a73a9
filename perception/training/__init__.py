"""Training of the light detector: reads shards of labelled images, whoever made them; needs PyTorch, which perception itself does not."""
