/** Who sends and is no actor: there is nothing to look at. */
const strangers: ReadonlySet<string> = new Set(["user", "system", "broadcast"]);

/** A name that leads to its actor; of one that is gone with its team, the panel says so. */
export function ActorLink({ name, onChoose }: { readonly name: string; readonly onChoose: (name: string) => void }) {
  if (strangers.has(name)) return <span className="actor-name">{name}</span>;
  return (
    <button type="button" className="link actor-name" onClick={() => onChoose(name)}>
      {name}
    </button>
  );
}
