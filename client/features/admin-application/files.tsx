import type { OfficeFile } from '../../api/page.gen';
import { Disclosure } from '../../ui/disclosure';
import { Icon } from '../../ui/icon';

/** The name of a file, which downloads it, and what is known about it. */
export function FileLine({ file }: { file: OfficeFile }) {
  return (
    <p>
      <Icon name="file" />{' '}
      {file.href ? (
        <a href={file.href} download data-document>
          {file.name}
        </a>
      ) : (
        <strong>{file.name}</strong>
      )}
      <span className="office-sub">{file.words}</span>
    </p>
  );
}

/** A file whose preview has to be opened. */
export function ClosedFile({ file }: { file: OfficeFile }) {
  return (
    <div>
      <FileLine file={file} />
      {file.previewHref ? (
        <Disclosure
          summary={
            <>
              Preview<span className="visually-hidden"> of {file.name}</span>
            </>
          }
        >
          <FilePreview file={file} src={file.previewHref} />
        </Disclosure>
      ) : null}
    </div>
  );
}

export function FilePreview({ file, src }: { file: OfficeFile; src: string }) {
  // A browser styles a picture shown on its own, which the answer's policy refuses.
  if (file.isPicture) return <img className="dossier-preview" src={src} alt={file.name} loading="lazy" />;
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers' viewers of PDFs do not work in one; the answer's policy confines it
    <iframe className="dossier-preview" src={`${src}#view=Fit&navpanes=0`} title={file.name} loading="lazy" />
  );
}
