import { faultsFromOutside } from "./faults-from-outside.ts";
import { faultsOfAnswers } from "./faults-of-answers.ts";
import { faultsOfGuests } from "./faults-of-guests.ts";
import { faultsOfLetters } from "./faults-of-letters.ts";
import { faultsOfOwners } from "./faults-of-owners.ts";
import { faultsOfPlans } from "./faults-of-plans.ts";
import { faultsOfRuns } from "./faults-of-runs.ts";
import { faultsOfTheBoard } from "./faults-of-the-board.ts";
import { faultsOfTheTeam } from "./faults-of-the-team.ts";
import { faultsOfWords } from "./faults-of-words.ts";
import type { PlantedFault } from "./planted-fault.ts";

/** Every fault of the kernel that is planted. */
export const plantedFaults: readonly PlantedFault[] = [
  ...faultsOfTheTeam,
  ...faultsOfTheBoard,
  ...faultsOfRuns,
  ...faultsOfWords,
  ...faultsFromOutside,
  ...faultsOfGuests,
  ...faultsOfLetters,
  ...faultsOfAnswers,
  ...faultsOfPlans,
  ...faultsOfOwners,
];
