package habemus.check;

import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.world.Happening;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Works out once for each cell what can happen there: the only place from which the algorithm is asked. */
final class Turns {

    /** About what a cell and a turn take, in bytes: with all else it comes near to what the heap shows. */
    private static final long CELL = 200;

    private static final long TURN = 160;

    private final Stage<?, ?> stage;
    private final boolean causal;
    private final Inboxes inboxes;
    private final Globals globals;
    private final Numbered<Cell> cells = new Numbered<>();
    private final LongMap askings = new LongMap(); // by cell, and one more than the letter
    private final Rows begins = new Rows(1); // by asking, the first of its turns; the last ends where the next begins
    private volatile Turn[] turns = new Turn[1 << 10];
    private int size;

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

    /** About what it takes, all in: what a cell is made of is the algorithm's. */
    long bytes() {
        return cells.bytes() + CELL * cells.size() + askings.bytes() + begins.bytes() + 4L * turns.length + TURN * size;
    }

    /** Anybody may ask at any time for a turn of which they know. */
    Turn get(int turn) {
        return turns[turn];
    }

    /** What can happen without a letter, as the number of an asking. */
    int at(int cell) {
        int known = askings.get(key(cell, 0));
        return known != LongMap.ABSENT
                ? known
                : askings.put(key(cell, 0), workOut(cell, stage.choices(cells.get(cell))));
    }

    /** What can become of a letter, as the number of an asking. */
    int at(int cell, int letter) {
        long key = key(cell, letter + 1);
        int known = askings.get(key);
        return known != LongMap.ABSENT
                ? known
                : askings.put(key, workOut(cell, stage.choices(cells.get(cell), inboxes.letter(letter))));
    }

    /** The first turn of an asking. */
    int begin(int asking) {
        return begins.get(asking, 0);
    }

    /** The first turn of the next asking. */
    int end(int asking) {
        return asking + 1 < begins.size() ? begins.get(asking + 1, 0) : size;
    }

    /** All turns of an asking. */
    List<Turn> all(int asking) {
        return Arrays.asList(turns).subList(begin(asking), end(asking));
    }

    private static long key(int cell, int raised) {
        return (long) cell << 32 | raised;
    }

    private int workOut(int cell, List<Choice> choices) {
        int asking = begins.add(size);
        for (Choice choice : choices) {
            after(cell, choice).forEach(this::add);
        }
        return asking;
    }

    private void add(Turn turn) {
        var more = size < turns.length ? turns : Arrays.copyOf(turns, turns.length / 2 * 3);
        more[size++] = turn;
        turns = more;
    }

    /** The outcomes of a start, as turns of a node that was not there before. */
    List<Turn> starts(int node) {
        var outcomes = stage.start(node);
        var starts = new ArrayList<Turn>();
        for (int i = 0; i < outcomes.size(); i++) {
            starts.add(turn(Choice.of(Choice.Kind.AMNESIA), new Turn.Way(i, 0), -1, List.of(), outcomes.get(i)));
        }
        return starts;
    }

    private List<Turn> after(int cell, Choice choice) {
        var made = new ArrayList<Turn>();
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
            made.add(turn(choice, new Turn.Way(i, 0), cell, tolls(choice, false), outcome));
            if (stage.scope().crashes().amid() && choice.event() != null && Toll.CRASH.granted(stage.scope()) > 0) {
                made.addAll(cuts(choice, i, cell, outcome));
            }
        }
        return made;
    }

    private List<Turn> cuts(Choice choice, int which, int cell, Outcome whole) {
        var made = new ArrayList<Turn>();
        boolean stepped = false;
        for (int outs = 1; outs < whole.outs().size(); outs++) {
            var last = whole.outs().get(outs - 1);
            stepped |= last instanceof Outcome.Out.Did;
            if (stepped && !(last instanceof Outcome.Out.Seen) && stage.mayCut(whole, outs)) {
                made.add(turn(choice, new Turn.Way(which, outs), cell, tolls(choice, true), stage.cut(whole, outs)));
            }
        }
        return made;
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
