// An esbuild plugin that leaves out what the browser does not need of Material UI. emotion.test.ts checks that the HTML
// stays the same.

/** Our icons come from client/ui/icon.tsx or from the stylesheet. */
const unusedIcons = [
  'Cancel',
  'CheckBox',
  'CheckBoxOutlineBlank',
  'Close',
  'ErrorOutline',
  'FirstPage',
  'IndeterminateCheckBox',
  'InfoOutlined',
  'LastPage',
  'NavigateBefore',
  'NavigateNext',
  'Person',
  'ReportProblemOutlined',
  'SuccessOutlined',
].map((name) => `@mui/material/internal/svg-icons/${name}`);

/** Returns a module of functions that are never called. */
const functions = (...names) => names.map((name) => `export const ${name} = () => {};`).join('');

/** Replacements by module. */
const replaced = {
  ...Object.fromEntries(unusedIcons.map((name) => [name, 'export default () => null;'])),
  // There is a single theme, which is always provided.
  '@mui/material/styles/defaultTheme': 'export default {};',
  '@mui/system/createTheme/createTheme': 'export default () => ({});',
  // Buttons have no ripple (client/theme/components.tsx), and state in words that they are busy.
  '@mui/material/ButtonBase/TouchRipple': 'export const DELAY_RIPPLE = 80; export default () => null;',
  '@mui/material/CircularProgress/CircularProgress': 'export default () => null;',
  '@mui/material/useLazyRipple/useLazyRipple':
    'const none = () => {}; const ripple = { ref: none, start: none, stop: none, pulsate: none }; export default () => ripple;',
  '@mui/material/Radio/RadioButtonIcon': 'export default () => null;',
  '@mui/material/ListItemSecondaryAction/ListItemSecondaryAction': 'export default () => null;',
  // Colours are custom properties, mixed by the browser.
  '@mui/system/colorManipulator/colorManipulator': functions(
    'alpha',
    'colorChannel',
    'darken',
    'decomposeColor',
    'emphasize',
    'getContrastRatio',
    'getLuminance',
    'hexToRgb',
    'hslToRgb',
    'lighten',
    'private_safeAlpha',
    'private_safeColorChannel',
    'private_safeDarken',
    'private_safeEmphasize',
    'private_safeLighten',
    'recomposeColor',
    'rgbToHex',
  ),
  // Global styles are in the stylesheet.
  '@mui/system/GlobalStyles/GlobalStyles': 'export default () => null;',
  // Our native selects and textareas do not use these (client/ui/field.tsx).
  '@mui/material/Input/Input': 'export default () => null;',
  '@mui/material/TextareaAutosize/TextareaAutosize': 'export default () => null;',
  // Only used in a ToggleButtonGroup (client/ui/switch.tsx).
  '@mui/material/ToggleButton/RovingToggleButton': 'export default () => null;',
  // Styles are in the theme: no component has an `sx` prop.
  '@mui/system/styleFunctionSx/styleFunctionSx':
    'export const unstable_createStyleFunctionSx = () => () => null; export default () => null;',
  '@mui/system/styleFunctionSx/defaultSxConfig': 'export default {};',
  // Lists every attribute of HTML. All other props of our elements are only for styling (ssr/styled-engine.tsx).
  '@emotion/is-prop-valid/dist/emotion-is-prop-valid.esm':
    'export default (name) => !["as", "ownerState", "sx", "theme"].includes(name);',
  // For wrapped class components, of which there are none.
  'hoist-non-react-statics/dist/hoist-non-react-statics.cjs': 'export default (component) => component;',
  // For React Router's framework mode and its own links, which we do not use (client/links.ts).
  'react-router/dist/production/lib/dom/ssr/components': `
    import { createContext } from 'react';
    export const FrameworkContext = createContext(undefined);
    export const useFrameworkContext = () => undefined;
    export const usePrefetchBehavior = () => [false, null, {}];
    export const mergeRefs = () => undefined;
    export const setIsHydrated = () => {};
    export const CRITICAL_CSS_DATA_ATTRIBUTE = '';
    export const Links = () => null;
    export const Meta = Links;
    export const PrefetchPageLinks = Links;
    export const Scripts = Links;`,
  // Instruments the router for others.
  'react-router/dist/production/lib/router/instrumentation': `
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    export const instrumentationResultMetaContext = {};
    export const instrumentHandler = () => {};
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;`,
};

/** Replaces the theme with data, which is requested at each build, and leaves out unused parts of Material UI. */
export const lean = (themeData) => ({
  name: 'lean',
  setup(build) {
    const names = Object.keys(replaced).join('|');
    const filter = new RegExp(`/node_modules/(${names})\\.m?js$`);
    const waiting = new Set(Object.keys(replaced));
    build.onLoad({ filter }, ({ path }) => {
      const [, name] = filter.exec(path);
      waiting.delete(name);
      return { contents: replaced[name], loader: 'js' };
    });
    build.onEnd(() => ({
      errors: [...waiting].map((name) => ({
        text: `scripts/lean.mjs: ${name} is not in the bundle any more`,
      })),
    }));
    build.onLoad({ filter: /\/client\/theme\/theme\.ts$/ }, () => ({
      contents: `import { themeFromData } from './theme-from-data';
        export const theme = themeFromData(${JSON.stringify(themeData())});`,
      loader: 'ts',
    }));
  },
});
