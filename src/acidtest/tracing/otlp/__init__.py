"""OTLP: what tracing exporters send, as protobuf or JSON."""
