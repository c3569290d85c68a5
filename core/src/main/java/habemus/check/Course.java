package habemus.check;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run in the making: what has happened, and what may happen next. */
final class Course {

    /** Something that may happen next. */
    static final class Option {

        final Act act;
        private final Move move;
        private final int[] state; // it leads to; if the algorithm does the impossible, where it is now

        private Option(Act act, Move move, int[] state) {
            this.act = act;
            this.move = move;
            this.state = state;
        }
    }

    /** @param sender the place of the move that sent the letter that this one is about; negative if there is none */
    record Made(Act act, Move move, int sender) {}

    private final Expander expander;
    private final Ledger ledger;
    private final List<Turn> starts;
    private final List<Act> names = new ArrayList<>(); // of the starts at which dice fell
    private final List<Made> made = new ArrayList<>();
    private int[] state;
    private @Nullable RuntimeException failure;
    private @Nullable List<Option> options;
    private boolean atRest;

    Course(Expander expander, Ledger ledger, Expander.Beginning beginning) {
        this.expander = expander;
        this.ledger = ledger;
        starts = beginning.starts();
        state = beginning.state();
        for (int node = 0; node < starts.size(); node++) {
            ledger.start(node, starts.get(node));
            var name = ledger.nameStart(node, starts.get(node));
            if (!name.dice().isEmpty()) {
                names.add(name);
            }
        }
    }

    /** What may happen next; nothing after the impossible. */
    List<Option> options() {
        if (options == null) {
            options = expand();
        }
        return options;
    }

    private List<Option> expand() {
        var next = new ArrayList<Option>();
        if (failure != null) {
            return next;
        }
        var kind = expander.expand(state, new Expander.Sink() {
            @Override
            public void next(int node, Turn turn, int[] after) {
                next.add(new Option(ledger.name(node, turn), new Move(node, turn), after.clone()));
            }

            @Override
            public void failed(int node, Turn turn) {
                next.add(new Option(ledger.name(node, turn), new Move(node, turn), state));
            }
        });
        atRest = kind == Expander.State.AT_REST;
        return next;
    }

    /** What this act is now; nothing if it is not possible. */
    Optional<Option> find(Act act) {
        var same = proper(act);
        return options().stream().filter(option -> option.act.equals(same)).findFirst();
    }

    /** The same, or else with another letter from the same peer, dice that fall otherwise, or at another time. */
    Optional<Option> findNear(Act act) {
        return find(act)
                .or(() -> options().stream()
                        .filter(option -> option.act.isLike(act))
                        .findFirst());
    }

    /** A move that must be made some time: whatever comes first, alarms last. */
    Optional<Option> due() {
        return options().stream()
                .filter(option -> option.move.turn().kind().must && option.act.cut() == 0)
                .min(Comparator.comparing(option -> option.act.verb() == Act.Verb.RING));
    }

    /** A move that should be impossible. */
    Optional<Option> bug() {
        return options().stream()
                .filter(option -> option.move.turn().failure() != null)
                .findFirst();
    }

    /** Letters that are the same are called by the place of the first. */
    private Act proper(Act act) {
        if (!act.verb().isOfLetter()) {
            return act;
        }
        var posted = ledger.at(requireNonNull(act.peer()), act.node(), act.place());
        return posted == null ? act : act.about(posted.letter().from(), ledger.place(posted));
    }

    void go(Option option) {
        var turn = option.move.turn();
        var entry = ledger.make(option.move.node(), turn);
        made.add(new Made(
                option.act,
                option.move,
                entry.taken() == null ? -1 : entry.taken().by()));
        failure = turn.failure();
        state = option.state;
        options = null;
    }

    List<Turn> starts() {
        return starts;
    }

    List<Made> made() {
        return made;
    }

    List<Move> moves() {
        return made.stream().map(Made::move).toList();
    }

    /** All of it, beginning with how the dice fell at the starts. */
    Schedule schedule() {
        return schedule(made);
    }

    /** The same in another order. */
    Schedule schedule(List<Made> order) {
        var acts = new ArrayList<>(names);
        order.forEach(each -> acts.add(each.act));
        return new Schedule(acts);
    }

    int[] state() {
        return state.clone();
    }

    /** Whether nothing must happen any more. */
    boolean isAtRest() {
        options();
        return atRest;
    }

    /** What should have been impossible. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }
}
