"""Pages of the web application, one file each; found by themselves.

To add one, write `server/pages/NAME.py` with

- `routes`: a list of Litestar handlers, such as

      @get("/traces", sync_to_thread=True)
      def traces(request: AnyRequest) -> Response[str]:
          store = site_of(request).open(TraceStore)
          return page(request, "traces.html.j2", title="Traces", listed=store.listed(...))

  (`page`, `site_of` and `AnyRequest` are in `server/render.py`; plain functions with
  `sync_to_thread=True` may use the store, which waits for the disk);
- `menu`, if the page is to be in the navigation: `("Traces", "/traces", 20)`, sorted by the number.

The template goes to `server/templates/`, extends `site.html.j2` and fills `content`; macros of the
report are there (`{% import "parts.html.j2" as parts %}`). Nothing inline: styles go to
`server/static/NAME.css` and scripts to `server/static/NAME.js`, named in the blocks `styles` and `scripts` as
`<link rel="stylesheet" href="{{ asset('NAME.css') }}">` and `<script src="{{ asset('NAME.js') }}" defer></script>`.
A form that changes something is `method="post"` and holds
`<input type="hidden" name="form_token" value="{{ form_token }}">`; a script sends the same as header
`X-Form-Token`. It is checked before the handler runs. JSON for programs goes to `server/api/NAME.py`, which
has `routes` in the same way, under `/api/`.
"""
