// The colours of the two themes, with the light and the dark side of each in one place. The first were given; the rest
// are derived from them. The build turns them into custom properties (scripts/styles.mjs), where light-dark() picks a
// side by the color-scheme of the element that uses them: part of a page becomes light or dark, including controls, by
// setting only color-scheme.

/** Light side, dark side. */
type Sides = readonly [light: string, dark: string];

const sides = {
  page: ['#F6F2EA', '#201F1E'],
  paper: ['#FCFAF6', '#2C2C2C'],
  text: ['#3A4350', '#FFFFFF'],
  soft: ['#575E67', '#CFC9C3'],
  heading: ['#48433B', '#FFFFFF'],
  secondary: ['#572626', '#EE8C9C'],
  // For small text. #E25970 itself is 3.2:1 on light paper and 3.9:1 on dark: only for lines, icons and large shapes.
  accent: ['#A54040', '#EE8C9C'],
  alert: ['#E25970', '#E25970'],
  line: ['#B3A9A0', '#57524D'],
  fieldLine: ['#857F77', '#B3A9A0'],
  focus: ['#E25970', '#E25970'],
  field: ['#FFFFFF', '#2C2C2C'],
  placeholder: ['#6B7079', '#CFC9C3'],
  button: ['#A54040', '#E25970'],
  buttonText: ['#FFFFFF', '#201F1E'],
  buttonHover: ['#E25970', '#EE8C9C'],
  buttonHoverText: ['#201F1E', '#201F1E'],
  // Surfaces that are dark in both themes.
  band: ['#48433B', '#0D0D0D'],
  loud: ['#572626', '#572626'],
  menu: ['#FCFAF6', '#0D0D0D'],
  shade: ['rgb(13 13 13 / 60%)', 'rgb(13 13 13 / 60%)'],
} as const satisfies Record<string, Sides>;

type Colour = keyof typeof sides;

/** Palette entries besides Material UI's own colours: `--palette-heading` and so on. */
const own = [
  'heading',
  'accent',
  'fieldLine',
  'focus',
  'field',
  'placeholder',
  'buttonHoverText',
  'band',
  'loud',
  'menu',
  'shade',
] as const satisfies readonly Colour[];

export type OwnColours = Record<(typeof own)[number], string>;

/** Returns one side as a Material UI palette. */
export function paletteOf(side: 'light' | 'dark') {
  const index = side === 'light' ? 0 : 1;
  const colour = (name: Colour) => sides[name][index];
  const main = (name: Colour, contrastText = colour('page')) => {
    const value = colour(name);
    return { main: value, light: value, dark: value, contrastText };
  };
  return {
    ...(Object.fromEntries(own.map((name) => [name, colour(name)])) as OwnColours),
    background: { default: colour('page'), paper: colour('paper') },
    text: { primary: colour('text'), secondary: colour('soft'), disabled: colour('soft') },
    divider: colour('line'),
    primary: { ...main('button', colour('buttonText')), dark: colour('buttonHover') },
    secondary: main('secondary'),
    error: main('alert'),
    warning: main('alert'),
    success: main('heading'),
    info: main('heading'),
  };
}
