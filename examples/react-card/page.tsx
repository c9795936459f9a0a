// The page of the app: a card that follows a session of the app's team system.
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { TeamCard, useTeam } from "teamchart/react";

function Review() {
  const team = useTeam({ url: "/teamchart", session: "review" });
  const [chosen, choose] = useState<string | null>(null);
  const member = team.status?.members.find(({ name }) => name === chosen);
  return (
    <main style={{ font: "15px/1.5 system-ui", maxWidth: "36rem", margin: "2rem auto", padding: "0 1rem" }}>
      <h1 style={{ fontSize: "1.2rem" }}>Review of the day</h1>
      <TeamCard team={team} onMember={choose} />
      {member === undefined ? null : (
        <p>
          {member.name}: {member.summary ?? "has said nothing yet"}
        </p>
      )}
    </main>
  );
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Review />
    </StrictMode>,
  );
}
