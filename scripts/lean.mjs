// What the browser does not need of Material UI, for esbuild. Each is held to the same HTML as the whole by screens.test.ts.

/** By the module: what stands in its place. */
const replaced = {
  // There is one theme, and it is always given.
  'styles/defaultTheme': 'export default {};',
  // Buttons do not ripple (client/theme/components.tsx), and say in words that they are busy.
  'ButtonBase/TouchRipple': 'export const DELAY_RIPPLE = 80; export default () => null;',
  'CircularProgress/CircularProgress': 'export default () => null;',
  // What a native select and a textarea of ours are not made of (client/ui/field.tsx).
  'Input/Input': 'export default () => null;',
  'TextareaAutosize/TextareaAutosize': 'export default () => null;',
};

/** The theme as data, and Material UI without what nobody here uses of it. */
export const lean = (themeData) => ({
  name: 'lean',
  setup(build) {
    const names = Object.keys(replaced).join('|');
    const filter = new RegExp(`/@mui/material/(${names})\\.m?js$`);
    build.onLoad({ filter }, ({ path }) => ({ contents: replaced[filter.exec(path)[1]], loader: 'js' }));
    build.onLoad({ filter: /\/hoist-non-react-statics\// }, () => ({
      // For components of classes that are wrapped, of which there are none.
      contents: 'export default (component) => component;',
      loader: 'js',
    }));
    build.onLoad({ filter: /\/client\/theme\/theme\.ts$/ }, () => ({
      contents: `import { themeFromData } from './theme-from-data';
        export const theme = themeFromData(${JSON.stringify(themeData)});`,
      loader: 'ts',
    }));
  },
});
