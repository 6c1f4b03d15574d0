"""Runs the migrations on the connection that `store.schema` hands over."""

from alembic import context

import acidtest.store.trace_tables  # noqa: F401 - its tables are in the metadata
from acidtest.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
