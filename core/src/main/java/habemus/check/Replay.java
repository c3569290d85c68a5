package habemus.check;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.Mail;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a run that can be read of the moves along its way. */
final class Replay {

    private final Stage<?, ?> stage;
    private final Corners corners;
    private final Globals globals;
    private final Ledger ledger;
    private final List<TraceLine> lines = new ArrayList<>();
    private final List<Mail> sent = new ArrayList<>(); // by this move, and not yet told
    private final List<Fault.Mistake> mistakes = new ArrayList<>();
    private long at;
    private int global;

    Replay(Stage<?, ?> stage, Corners corners, Globals globals) {
        this.stage = stage;
        this.corners = corners;
        this.globals = globals;
        ledger = new Ledger(stage, corners);
    }

    /** @param atRest whether nothing must happen after the last of the moves, so that the end is judged */
    List<TraceLine> lines(List<Turn> starts, List<Move> moves, boolean atRest) {
        begin(starts);
        moves.forEach(move -> make(move.node(), move.turn()));
        if (atRest) {
            globals.properties(globals.violatedAtRest(global))
                    .forEach(property -> lines.add(new TraceLine.Violated(at, property)));
        }
        return lines;
    }

    private void begin(List<Turn> starts) {
        for (int node = 0; node < starts.size(); node++) {
            var start = starts.get(node);
            sent.addAll(ledger.start(node, start));
            write(node, stage.start(node).get(start.way().which()), 0, 0);
            judge(start);
        }
    }

    private void make(int node, Turn turn) {
        at++;
        var id = stage.id(node);
        var cell = corners.cell(turn.before());
        var entry = ledger.make(node, turn);
        sent.addAll(entry.sent());
        long mail = arrive(turn.kind(), entry.taken());
        announce(id, turn.choice());
        if (turn.failure() != null) {
            fail(id, turn.choice().event(), mail, cell);
            return;
        }
        var outcome = stage.outcomes(cell, turn.choice()).get(turn.way().which());
        int cut = turn.way().cut();
        write(node, cut == 0 ? outcome : stage.cut(outcome, cut), mail, cut);
        judge(turn);
    }

    /** The step that could not be made, with the state in which it was tried. */
    private void fail(NodeId id, @Nullable Event<?> event, long mail, Cell cell) {
        if (event != null) {
            lines.add(new TraceLine.Stepped(at, id, event, mail, cell.state(), List.of(), List.of()));
        }
    }

    /** The number of the letter that arrives, or does not; zero if there is none. */
    private long arrive(Choice.Kind kind, Ledger.@Nullable Posted taken) {
        if (taken == null) {
            return 0;
        }
        switch (kind) {
            case DOUBLE -> lines.add(new TraceLine.Fared(at, taken.mail(), TraceLine.Fate.DUPLICATED));
            case LOSE -> lines.add(new TraceLine.Fared(at, taken.mail(), TraceLine.Fate.LOST));
            case VANISH -> lines.add(new TraceLine.Fared(at, taken.mail(), TraceLine.Fate.RECEIVER_DOWN));
            case CUT_OFF -> lines.add(new TraceLine.Fared(at, taken.mail(), TraceLine.Fate.CUT_OFF));
            default -> {}
        }
        return taken.mail().number();
    }

    private void announce(NodeId id, Choice choice) {
        switch (choice.kind()) {
            case CRASH -> strike(new Fault.Crash(id));
            case RESTART -> strike(new Fault.Restart(id, false));
            case AMNESIA -> strike(new Fault.Restart(id, true));
            case PAUSE -> strike(new Fault.Pause(id));
            case RESUME -> strike(new Fault.Resume(id));
            case PART -> strike(requireNonNull(choice.cut()));
            case MEND -> strike(new Fault.Mend(requireNonNull(choice.cut())));
            case MISTAKE, RESTORE -> err(id, choice);
            default -> {}
        }
    }

    private void err(NodeId id, Choice choice) {
        var peer = choice.peer();
        if (peer != null && choice.kind() == Choice.Kind.MISTAKE) {
            var mistake = new Fault.Mistake(id, peer);
            mistakes.add(mistake);
            strike(mistake);
        } else if (peer != null && mistakes.remove(new Fault.Mistake(id, peer))) {
            strike(new Fault.Correct(id, peer));
        }
    }

    private void strike(Fault fault) {
        lines.add(new TraceLine.Struck(at, fault));
    }

    /** @param cut after how many outs the node crashed; zero if it did not */
    private void write(int node, Outcome outcome, long mail, int cut) {
        var id = stage.id(node);
        long number = mail;
        for (int i = 0; i < outcome.outs().size(); i++) {
            if (cut > 0 && i == cut) {
                strike(new Fault.Crash(id));
            }
            switch (outcome.outs().get(i)) {
                case Outcome.Out.Did did -> {
                    lines.add(line(id, did, number, sent(outcome, i + 1)));
                    number = 0;
                }
                case Outcome.Out.Seen(var happening) -> lines.add(new TraceLine.Seen(at, happening));
                case Outcome.Out.Sent any -> {}
            }
        }
    }

    private TraceLine line(NodeId id, Outcome.Out.Did did, long mail, List<Mail> sent) {
        if (did.start() != null) {
            return new TraceLine.Started(at, id, did.start(), did.state(), did.effects(), sent);
        }
        return new TraceLine.Stepped(at, id, requireNonNull(did.event()), mail, did.state(), did.effects(), sent);
    }

    /** What left the node in the step that begins here. */
    private List<Mail> sent(Outcome outcome, int begin) {
        int count = 0;
        for (var out : outcome.outs().subList(begin, outcome.outs().size())) {
            if (out instanceof Outcome.Out.Did) {
                break;
            }
            count += out instanceof Outcome.Out.Sent ? 1 : 0;
        }
        var first = List.copyOf(sent.subList(0, count));
        sent.subList(0, count).clear();
        return first;
    }

    private void judge(Turn turn) {
        int before = globals.violated(global);
        global = globals.after(global, turn.account());
        globals.properties(globals.violated(global) & ~before)
                .forEach(property -> lines.add(new TraceLine.Violated(at, property)));
    }
}
