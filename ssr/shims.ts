// What react-router expects of the platform and a bare isolate lacks. Several bundles share one isolate.

/**
 * The parts of a URL, for `encodeLocation` of the static router, which encodes paths for links relative to a route. Our
 * links are absolute, and paths arrive encoded as requested.
 */
class Address {
  pathname: string;
  search: string;
  hash: string;

  constructor(href: string) {
    const [, pathname, search, hash] = /^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? [];
    this.pathname = pathname || '/';
    this.search = search ?? '';
    this.hash = hash ?? '';
  }
}

globalThis.URL ??= Address as unknown as typeof URL;
