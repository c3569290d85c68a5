package habemus.check;

import habemus.protocol.Dicing;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Mail;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Keeps, as a run goes on, what is under way; so it can tell what each move is called. */
final class Ledger {

    /** @param by the place of the move that sent it in the run; negative if it was a start */
    record Posted(Mail mail, Letter letter, int by) {}

    /**
     * What a move did to the post.
     *
     * @param taken the letter it was about
     */
    record Entry(@Nullable Posted taken, List<Mail> sent) {}

    private final Stage<?, ?> stage;
    private final Corners corners;
    private final List<Posted> underWay = new ArrayList<>(); // in the order of sending
    private final Cell[] cells; // with what each node knows of others' requests out of date
    private final BitSet paused = new BitSet();
    private long mails;
    private int moves;

    Ledger(Stage<?, ?> stage, Corners corners) {
        this.stage = stage;
        this.corners = corners;
        cells = new Cell[stage.scope().topology().size()];
    }

    List<Mail> start(int node, Turn turn) {
        cells[node] = corners.cell(turn.after());
        return post(node, turn, -1);
    }

    /** What it is called, if it is the next one. */
    Act name(int node, Turn turn) {
        var act = Act.of(stage.id(node), Act.Verb.of(turn.kind()));
        var letter = turn.choice().letter();
        var peer = turn.choice().peer();
        if (letter != null) {
            act = act.about(letter.from(), place(find(stage.id(node), letter)));
        } else if (peer != null) {
            act = act.about(peer, 0);
        } else if (turn.choice().cut() != null && turn.kind() == Choice.Kind.PART) {
            act = part(node, turn.choice().cut());
        } else if (turn.choice().event() instanceof Event.Elapsed<?>(var alarm)) {
            act = act.ringing(alarm.name(), ticks(node, turn));
        }
        return act.rolling(dice(turn)).cutAfter(turn.way().cut());
    }

    private Act part(int node, Fault.Cut cut) {
        var side = new StringJoiner("_");
        cut.from().forEach(each -> side.add(String.valueOf(each.number())));
        return Act.of(stage.id(node), cut.bothWays() ? Act.Verb.PART : Act.Verb.MUTE)
                .ringing(side.toString(), 0);
    }

    /** What a start is called; the others have the same name always. */
    Act nameStart(int node, Turn turn) {
        var fallen = stage.protocol() instanceof Dicing
                ? dice(stage.start(node).get(turn.way().which()))
                : List.<Integer>of();
        return Act.of(stage.id(node), Act.Verb.START).rolling(fallen);
    }

    private List<Integer> dice(Turn turn) {
        return stage.protocol() instanceof Dicing && turn.failure() == null
                ? dice(stage.outcomes(corners.cell(turn.before()), turn.choice())
                        .get(turn.way().which()))
                : List.of();
    }

    private static List<Integer> dice(Outcome outcome) {
        var fallen = new ArrayList<Integer>();
        for (var out : outcome.outs()) {
            if (out instanceof Outcome.Out.Did did && did.event() instanceof Event.Rolled<?>(var side)) {
                fallen.add(side);
            }
        }
        return List.copyOf(fallen);
    }

    private int ticks(int node, Turn turn) {
        if (!stage.scope().isSynchronous()) {
            return 0;
        }
        var due = corners.cell(turn.before()).due(turn.choice());
        return cells[node].due(turn.choice()).atMost() - due.atMost();
    }

    /** The letter at this place among those under way between two; null if there are not so many. */
    @Nullable
    Posted at(NodeId from, NodeId to, int place) {
        return underWay.stream()
                .filter(each -> each.mail.from().equals(from) && each.mail.to().equals(to))
                .skip(place - 1L)
                .findFirst()
                .orElse(null);
    }

    /** The first place of a letter that is the same as this one. */
    int place(Posted posted) {
        int place = 1;
        for (var each : underWay) {
            if (each.mail.to().equals(posted.mail.to()) && each.mail.from().equals(posted.mail.from())) {
                if (each.letter.equals(posted.letter)) {
                    break;
                }
                place++;
            }
        }
        return place;
    }

    private Posted find(NodeId to, Letter letter) {
        return underWay.stream()
                .filter(each -> each.mail.to().equals(to) && each.letter.equals(letter))
                .findFirst()
                .orElseThrow();
    }

    /** The move is made. */
    Entry make(int node, Turn turn) {
        var letter = turn.choice().letter();
        var taken = letter == null ? null : find(stage.id(node), letter);
        if (taken != null && turn.kind() != Choice.Kind.DOUBLE) {
            underWay.remove(taken);
        }
        if (turn.failure() != null) {
            return new Entry(taken, List.of());
        }
        if (turn.kind() == Choice.Kind.RING) {
            pass(ticks(node, turn));
        }
        if (turn.kind() == Choice.Kind.PAUSE
                || turn.kind() == Choice.Kind.RESUME
                || !corners.cell(turn.after()).up()) {
            paused.set(node, turn.kind() == Choice.Kind.PAUSE);
        }
        cells[node] = corners.cell(turn.after());
        var sent = post(node, turn, moves++);
        if (turn.forgets()) {
            underWay.replaceAll(each -> new Posted(each.mail, each.letter.forgetting(stage.id(node)), each.by));
        }
        return new Entry(taken, sent);
    }

    private void pass(int ticks) {
        for (int node = 0; node < cells.length && ticks > 0; node++) {
            var to = stage.id(node);
            if (paused.get(node) && cells[node].isBeforeAlarms()) {
                underWay.replaceAll(each ->
                        each.mail.to().equals(to) ? new Posted(each.mail, each.letter.inTime(), each.by) : each);
            }
            cells[node] = cells[node].later(ticks);
        }
    }

    private List<Mail> post(int node, Turn turn, int by) {
        var sent = new ArrayList<Mail>();
        for (int i = 0; i < turn.post().size(); i++) {
            var letter = corners.letter(turn.post().letter(i));
            var to = stage.id(turn.post().receiver(i));
            sent.add(new Mail(++mails, stage.id(node), to, letter.message()));
            underWay.add(new Posted(sent.getLast(), letter, by));
        }
        return List.copyOf(sent);
    }

    /** What all of it is called, from the beginning. */
    Schedule names(List<Turn> starts, List<Move> run) {
        var acts = new ArrayList<Act>();
        for (int node = 0; node < starts.size(); node++) {
            start(node, starts.get(node));
            var start = nameStart(node, starts.get(node));
            if (!start.dice().isEmpty()) {
                acts.add(start);
            }
        }
        for (Move move : run) {
            acts.add(name(move.node(), move.turn()));
            make(move.node(), move.turn());
        }
        return new Schedule(acts);
    }
}
