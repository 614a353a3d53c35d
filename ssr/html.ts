// What render-to-string.ts knows about elements and attributes, as React writes them.

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Elements that are written as they stand, SVG's included. Not those that React hoists, preloads or checks. */
export const plainTags = words(`
  a abbr address article aside b bdi bdo blockquote caption cite code data datalist dd del details dfn dialog div dl
  dt em fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup i iframe ins kbd label legend li main mark menu
  meter nav ol optgroup output p progress q s samp section select small span strong sub summary sup table tbody td
  tfoot th thead time tr u ul var
  circle clipPath defs ellipse g line linearGradient mask path pattern polygon polyline radialGradient rect stop svg symbol
  text textPath tspan use
`);

export const voidTags = words('br col hr input wbr');

/** Written without a value when true. */
export const booleanAttributes = words(`
  autoFocus async autoPlay checked controls default defer disabled formNoValidate hidden inert itemScope loop multiple muted
  noModule noValidate open playsInline readOnly required reversed
`);

/** Written as true or false. */
export const booleanishAttributes = words('contentEditable draggable focusable spellCheck value');

/** Written when at least 1. */
export const positiveAttributes = words('cols rows size span');

/** Attributes that are not named like their props. */
export const aliases: Record<string, string> = {
  acceptCharset: 'accept-charset',
  autoFocus: 'autofocus',
  className: 'class',
  clipPath: 'clip-path',
  clipRule: 'clip-rule',
  crossOrigin: 'crossorigin',
  dominantBaseline: 'dominant-baseline',
  fillOpacity: 'fill-opacity',
  fillRule: 'fill-rule',
  fontFamily: 'font-family',
  fontSize: 'font-size',
  fontWeight: 'font-weight',
  htmlFor: 'for',
  httpEquiv: 'http-equiv',
  letterSpacing: 'letter-spacing',
  stopColor: 'stop-color',
  stopOpacity: 'stop-opacity',
  strokeDasharray: 'stroke-dasharray',
  strokeDashoffset: 'stroke-dashoffset',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
  strokeMiterlimit: 'stroke-miterlimit',
  strokeOpacity: 'stroke-opacity',
  strokeWidth: 'stroke-width',
  tabIndex: 'tabindex',
  textAnchor: 'text-anchor',
  transformOrigin: 'transform-origin',
};
