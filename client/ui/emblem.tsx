import { useId } from 'react';

const book = (
  <>
    <path d="M24 35c-3-2.3-7.2-3.1-11.5-2.7V18.5c4.3-.4 8.5.4 11.5 2.7 3-2.3 7.2-3.1 11.5-2.7v13.8c-4.3-.4-8.5.4-11.5 2.7z" />
    <path d="M24 21.2V35M15.5 22.3c2.2 0 4 .4 5.7 1.2M15.5 26.3c2.2 0 4 .4 5.7 1.2M32.5 22.3c-2.2 0-4 .4-5.7 1.2M32.5 26.3c-2.2 0-4 .4-5.7 1.2" />
  </>
);

const star = (
  <path d="m24 9 1.1 2.9 2.9 1.1-2.9 1.1L24 17l-1.1-2.9L20 13l2.9-1.1z" fill="currentColor" stroke="none" />
);

/** The institute's logo: an open register under a star, in a double ring. */
export function Emblem() {
  return (
    <svg className="emblem" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <circle cx="24" cy="24" r="23" />
      <circle cx="24" cy="24" r="20.5" strokeWidth=".6" />
      {star}
      {book}
    </svg>
  );
}

// Angles in degrees of the ellipses that form the engraved rosette.
const rosette = [0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 168];

/** The logo as a large engraved seal, with `legend` set around it. Purely decorative. */
export function Seal({ legend }: { legend: string }) {
  const ring = useId();
  return (
    <svg className="seal" viewBox="0 0 400 400" aria-hidden="true" focusable="false">
      <circle className="seal-edge" cx="200" cy="200" r="191" />
      <circle cx="200" cy="200" r="184" strokeWidth="1.5" />
      <circle cx="200" cy="200" r="180" />
      <path id={ring} d="M200 354a154 154 0 1 1 .01 0z" stroke="none" />
      <text className="seal-legend">
        <textPath href={`#${ring}`} textLength="955" lengthAdjust="spacing">
          {legend}
        </textPath>
      </text>
      <circle cx="200" cy="200" r="142" />
      <g className="seal-rosette" transform="translate(200 200)">
        {rosette.map((angle) => (
          <ellipse key={angle} rx="139" ry="84" transform={`rotate(${angle})`} />
        ))}
      </g>
      <circle className="seal-field" cx="200" cy="200" r="82" strokeWidth="1.5" />
      <circle cx="200" cy="200" r="78" />
      <g className="seal-mark" transform="translate(200 200) scale(3.2) translate(-24 -23.5)">
        {star}
        {book}
      </g>
    </svg>
  );
}

/** A rule with a diamond in the middle, between the parts of a page. */
export function Ornament() {
  return (
    <svg className="ornament" viewBox="0 0 240 16" aria-hidden="true" focusable="false">
      <path d="M0 8h98M142 8h98" />
      <path d="m120 2 6 6-6 6-6-6zM106 5l3 3-3 3-3-3zM134 5l3 3-3 3-3-3z" fill="currentColor" stroke="none" />
    </svg>
  );
}
