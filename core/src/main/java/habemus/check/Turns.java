package habemus.check;

import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.world.Happening;
import java.util.ArrayList;
import java.util.List;

/** Works out once for each cell what can happen there: the only place from which the algorithm is asked. */
final class Turns {

    private final Stage<?, ?> stage;
    private final boolean causal;
    private final Inboxes inboxes;
    private final Globals globals;
    private final Numbered<Cell> cells = new Numbered<>();
    private final List<List<Turn>> known = new ArrayList<>();
    private final LongMap unbidden = new LongMap(); // places in the list, by cell
    private final LongMap arrivals = new LongMap(); // and by cell and letter

    Turns(Stage<?, ?> stage, boolean causal, Inboxes inboxes, Globals globals) {
        this.stage = stage;
        this.causal = causal;
        this.inboxes = inboxes;
        this.globals = globals;
    }

    Cell cell(int number) {
        return cells.get(number);
    }

    int cell(Cell cell) {
        return cells.number(cell);
    }

    /** How many cells there are: so often the algorithm was asked, times what can happen to each. */
    int cells() {
        return cells.size();
    }

    /** What can happen without a letter. */
    List<Turn> at(int cell) {
        int place = unbidden.get(cell);
        return known.get(
                place != LongMap.ABSENT ? place : unbidden.put(cell, workOut(cell, stage.choices(cells.get(cell)))));
    }

    /** What can become of a letter. */
    List<Turn> at(int cell, int letter) {
        long key = (long) cell << 32 | letter;
        int place = arrivals.get(key);
        return known.get(
                place != LongMap.ABSENT
                        ? place
                        : arrivals.put(key, workOut(cell, stage.choices(cells.get(cell), inboxes.letter(letter)))));
    }

    private int workOut(int cell, List<Choice> choices) {
        var turns = new ArrayList<Turn>();
        choices.forEach(choice -> turns.addAll(after(cell, choice)));
        known.add(List.copyOf(turns));
        return known.size() - 1;
    }

    /** The outcomes of a start, as turns of a node that was not there before. */
    List<Turn> starts(int node) {
        var outcomes = stage.start(node);
        var turns = new ArrayList<Turn>();
        for (int i = 0; i < outcomes.size(); i++) {
            turns.add(turn(Choice.of(Choice.Kind.AMNESIA), new Turn.Way(i, 0), -1, List.of(), outcomes.get(i)));
        }
        return turns;
    }

    private List<Turn> after(int cell, Choice choice) {
        var turns = new ArrayList<Turn>();
        List<Outcome> outcomes;
        try {
            outcomes = stage.outcomes(cells.get(cell), choice);
        } catch (ProtocolBug | Impure impossible) {
            int account = globals.account(List.of(), tolls(choice, false));
            var way = new Turn.Way(0, 0);
            return List.of(new Turn(
                    choice,
                    choice.kind(),
                    way,
                    cell,
                    cell,
                    peer(choice),
                    sender(choice),
                    Turn.Post.NONE,
                    account,
                    false,
                    false,
                    impossible));
        }
        for (int i = 0; i < outcomes.size(); i++) {
            var outcome = outcomes.get(i);
            turns.add(turn(choice, new Turn.Way(i, 0), cell, tolls(choice, false), outcome));
            if (stage.scope().cuts() && choice.event() != null && Toll.CRASH.granted(stage.scope()) > 0) {
                turns.addAll(cuts(choice, i, cell, outcome));
            }
        }
        return turns;
    }

    private List<Turn> cuts(Choice choice, int which, int cell, Outcome whole) {
        var turns = new ArrayList<Turn>();
        boolean stepped = false;
        for (int outs = 1; outs < whole.outs().size(); outs++) {
            var last = whole.outs().get(outs - 1);
            stepped |= last instanceof Outcome.Out.Did;
            if (stepped && !(last instanceof Outcome.Out.Seen)) {
                turns.add(turn(choice, new Turn.Way(which, outs), cell, tolls(choice, true), stage.cut(whole, outs)));
            }
        }
        return turns;
    }

    private static List<Toll> tolls(Choice choice, boolean crashes) {
        var tolls = new ArrayList<Toll>();
        if (choice.kind().toll != null) {
            tolls.add(choice.kind().toll);
        }
        if (crashes) {
            tolls.add(Toll.CRASH);
        }
        return List.copyOf(tolls);
    }

    private int peer(Choice choice) {
        var peer = choice.peer();
        return peer == null ? -1 : stage.index(peer);
    }

    private int sender(Choice choice) {
        var letter = choice.letter();
        return letter == null ? -1 : stage.index(letter.from());
    }

    private Turn turn(Choice choice, Turn.Way way, int before, List<Toll> tolls, Outcome outcome) {
        var seen = outcome.seen();
        return new Turn(
                choice,
                choice.kind(),
                way,
                before,
                cell(outcome.cell()),
                peer(choice),
                sender(choice),
                post(outcome),
                globals.account(seen, tolls),
                causal && seen.stream().anyMatch(Turns::endsWaiting),
                seen.stream().anyMatch(Happening.Entered.class::isInstance),
                null);
    }

    private static boolean endsWaiting(Happening seen) {
        return seen instanceof Happening.Entered || seen instanceof Happening.Crashed;
    }

    private Turn.Post post(Outcome outcome) {
        var items = new ArrayList<Integer>();
        for (int i = 0; i < outcome.outs().size(); i++) {
            if (outcome.outs().get(i) instanceof Outcome.Out.Sent(var to, var message)) {
                var past = causal ? outcome.during().get(i).past() : NodeSet.NONE;
                var from = stage.id(outcome.cell().node());
                items.add(inboxes.letter(new Letter(from, message, past)));
                items.add(stage.index(to));
            }
        }
        return items.isEmpty()
                ? Turn.Post.NONE
                : new Turn.Post(items.stream().mapToInt(Integer::intValue).toArray());
    }
}
