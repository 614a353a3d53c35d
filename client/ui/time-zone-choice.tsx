import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import InputBase from '@mui/material/InputBase';
import { useEffect, useRef } from 'react';
import { ZoneChoiceBox } from '../theme/parts/time-zone-choice';

export interface TimeZoneChoiceProps {
  id: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  name: string;
  zones: string[];
  defaultValue: string;
  text: string;
  onText: (text: string) => void;
  /** Set if it replaces an input that had the focus. */
  autoFocus: boolean;
}

/** Nobody reads more than these. */
const filterOptions = createFilterOptions<string>({ limit: 50 });

/** Finds a time zone by part of its name. In its own chunk, fetched when the field is focused. */
export function TimeZoneChoice(props: TimeZoneChoiceProps) {
  const { id, describedBy, isInvalid, name, zones, defaultValue, text, onText, autoFocus } = props;
  const sent = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (sent.current) sent.current.value = text;
  }, [text]);

  return (
    <ZoneChoiceBox>
      {/* The submitted value. Its default shows whether it was changed. */}
      <input ref={sent} type="text" name={name} defaultValue={defaultValue} hidden />
      <Autocomplete
        freeSolo
        disableClearable
        disablePortal
        id={id}
        options={zones}
        filterOptions={filterOptions}
        inputValue={text}
        onInputChange={(_, typed) => onText(typed)}
        renderInput={({ slotProps }) => (
          <InputBase
            ref={slotProps.input.ref}
            className={slotProps.input.className}
            error={isInvalid}
            inputProps={{
              ...slotProps.htmlInput,
              'aria-describedby': describedBy,
              'aria-invalid': isInvalid || undefined,
              autoFocus,
            }}
          />
        )}
      />
    </ZoneChoiceBox>
  );
}
