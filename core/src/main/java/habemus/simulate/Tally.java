package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Court;
import habemus.world.Happening;
import habemus.world.Mail;
import habemus.world.Problem;
import habemus.world.TraceLine;
import habemus.world.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts and judges a run that was made elsewhere, from what is told of it. */
public final class Tally {

    private final Problem problem;
    private final Journal journal;
    private final TreeSet<NodeId> waiting = new TreeSet<>();
    private final Map<NodeId, Object> states = new HashMap<>();

    public Tally(Problem problem, Court court) {
        this.problem = problem;
        journal = new Journal(problem, court, null, Workload.Writing.NONE);
    }

    /** Of a run that has ended so, maybe by a bug. */
    public Outcome count(List<TraceLine> lines, Outcome.End end, @Nullable String bug) {
        for (TraceLine line : lines) {
            switch (line) {
                case TraceLine.Acted acted -> {
                    journal.beginStep(acted.at(), true);
                    states.put(acted.node(), acted.state());
                    acted.sent().stream().map(Mail::message).forEach(journal::count);
                }
                case TraceLine.Seen(var at, var happening) -> {
                    journal.see(at, happening);
                    note(happening);
                }
                default -> {}
            }
        }
        var left = waiting.stream()
                .map(node -> new Outcome.Waiting(node, states.getOrDefault(node, "")))
                .toList();
        return journal.outcome(end, left, bug);
    }

    private void note(Happening seen) {
        switch (seen) {
            case Happening.Asked(var node, var behind) when problem == Problem.MUTEX -> waiting.add(node);
            case Happening.Entered(var node, var fence) -> waiting.remove(node);
            case Happening.Crashed(var node, var asking) -> waiting.remove(node);
            default -> {}
        }
    }
}
