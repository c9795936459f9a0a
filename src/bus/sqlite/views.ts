/**
 * Views for people's own queries. Nothing of Teamchart reads them, and nobody can write to them.
 *
 * `team`, `team_member` and `team_task` show how each session stood at its last checkpoint (`as_of_seq`); a session that
 * is running has one at most five seconds after what it doesn't cover, and one that rests or was closed is shown as it
 * is. `team_message` reads the log itself.
 */

const time = (ms: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;

/** A checkpoint of a session: how it is told from others, and whose it is. */
const checkpoints = `
CREATE VIEW session_checkpoint AS
SELECT
  c.value ->> '$.namespace' AS namespace,
  c.value ->> '$.session' AS session,
  s.key AS session_key,
  c.value -> '$.kernel' AS kernel,
  c.value ->> '$.kernel.seq' AS as_of_seq,
  ${time("c.at")} AS as_of
FROM checkpoint c
JOIN session s ON s.namespace = c.value ->> '$.namespace' AND s.name = c.value ->> '$.session'
WHERE c.value ->> '$.format' = 'teamchart-session';
`;

const team = `
CREATE VIEW team AS
SELECT
  namespace,
  session,
  kernel ->> '$.team.name' AS team,
  kernel ->> '$.team.description' AS description,
  CASE
    WHEN json_type(kernel, '$.team.snapshot.value') = 'text' THEN kernel ->> '$.team.snapshot.value'
    WHEN json_type(kernel, '$.team.snapshot.value.dissolving') IS NOT NULL THEN 'dissolving'
    ELSE coalesce(kernel ->> '$.team.snapshot.value.active', kernel ->> '$.team.snapshot.value.dissolved')
  END AS state,
  kernel ->> '$.revision' AS revision,
  kernel ->> '$.team.counts.total' AS members,
  kernel ->> '$.team.counts.completed' AS completed,
  kernel ->> '$.team.counts.failed' AS failed,
  kernel ->> '$.team.counts.cancelled' AS cancelled,
  kernel ->> '$.team.counts.running' AS running,
  ${time("(kernel ->> '$.team.since')")} AS since,
  as_of_seq,
  as_of
FROM session_checkpoint
WHERE json_type(kernel, '$.team') = 'object';
`;

const member = `
CREATE VIEW team_member AS
SELECT
  c.namespace,
  c.session,
  c.kernel ->> '$.team.name' AS team,
  m.value ->> '$.name' AS name,
  m.value ->> '$.agentType' AS agent_type,
  m.value ->> '$.lifetime' AS lifetime,
  m.value ->> '$.snapshot.value.work' AS status,
  m.value ->> '$.snapshot.value.presence' AS presence,
  coalesce(m.value ->> '$.snapshot.value.run.live', 'none') AS activity,
  m.value ->> '$.snapshot.context.attempt' AS attempt,
  m.value ->> '$.reason' AS reason,
  (
    SELECT r.body ->> '$.summary' FROM record r
    WHERE r.session = c.session_key AND r.digest = m.value ->> '$.result.digest'
      AND r.type IN ('work.complete', 'run.completed')
    LIMIT 1
  ) AS summary,
  m.value ->> '$.tokens' AS tokens,
  m.value ->> '$.modelCalls' AS model_calls,
  json_array_length(m.value, '$.unread') AS unread,
  ${time("(m.value ->> '$.since')")} AS since,
  c.as_of_seq,
  c.as_of
FROM session_checkpoint c, json_each(c.kernel, '$.members') m;
`;

const message = `
CREATE VIEW team_message AS
WITH taken AS (
  SELECT r.session, CASE WHEN instr(m.value, ':') > 0 THEN substr(m.value, 1, instr(m.value, ':') - 1) ELSE m.value END AS id,
    count(*) AS reads
  FROM record r, json_each(r.input, '$.event.mail') m
  WHERE r.type IN ('run.injected', 'lead.injected') AND m.value NOT LIKE '%:dead'
  GROUP BY 1, 2
)
SELECT
  s.namespace,
  s.name AS session,
  r.seq,
  ${time("(r.input ->> '$.at')")} AS at,
  CASE r.sender WHEN 'lead' THEN 'Lead' ELSE coalesce(
    (SELECT m.value ->> '$.name' FROM session_checkpoint c, json_each(c.kernel, '$.members') m
      WHERE c.session_key = s.key AND m.value ->> '$.token' = r.sender),
    r.sender) END AS sender,
  r.input ->> '$.event.to' AS recipient,
  r.input ->> '$.event.kind' AS kind,
  r.input ->> '$.event.bytes' AS bytes,
  r.body ->> '$' AS content,
  coalesce(t.reads, 0) AS read_by
FROM record r
JOIN session s ON s.key = r.session
LEFT JOIN taken t ON t.session = r.session AND t.id = r.id
WHERE r.type = 'message.send';
`;

const task = `
CREATE VIEW team_task AS
SELECT
  c.namespace,
  c.session,
  c.kernel ->> '$.team.name' AS team,
  t.value ->> '$.id' AS task,
  t.value ->> '$.subject' AS subject,
  t.value ->> '$.description' AS description,
  t.value ->> '$.status' AS status,
  t.value ->> '$.priority' AS priority,
  t.value -> '$.dependsOn' AS depends_on,
  t.value ->> '$.assignee' AS assignee,
  t.value ->> '$.owner' AS owner,
  ${time("(t.value ->> '$.since')")} AS since,
  c.as_of_seq,
  c.as_of
FROM session_checkpoint c, json_each(c.kernel, '$.team.board.tasks') t;
`;

/** The views as SQL. */
export const viewsSql = checkpoints + team + member + message + task;
