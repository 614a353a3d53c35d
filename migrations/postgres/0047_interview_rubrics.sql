-- Twin of migrations/sqlite/0047_interview_rubrics.sql.

-- Interviews are scored by a rubric of the office, too. A sheet keeps its scale and its criteria with their points: JSON, as in
-- readings.points. `points` is left to processes of the version before.
ALTER TABLE score_sheets ADD COLUMN scale BIGINT NOT NULL DEFAULT 5;
ALTER TABLE score_sheets ADD COLUMN lines TEXT NOT NULL DEFAULT '[]';
UPDATE score_sheets SET lines = COALESCE((
    SELECT json_agg(json_build_object(
        'label', CASE line ->> 0
            WHEN 'motivation' THEN 'Motivation for this program'
            WHEN 'experience' THEN 'Experience with people'
            WHEN 'goals' THEN 'Goals that the program serves'
            WHEN 'communication' THEN 'Communication'
            ELSE 'Readiness for the work it takes'
        END,
        'weight', 1,
        'points', (line ->> 1)::BIGINT
    ) ORDER BY place)::TEXT
    FROM jsonb_array_elements(points::jsonb) WITH ORDINALITY AS listed (line, place)
), '[]');
