package habemus.check.search;

import habemus.check.model.CheckReport;
import habemus.check.store.Transition;
import habemus.protocol.ProtocolBug;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first violation of each property. The search visits level after level, so the first is a nearest one. */
public final class ViolationCollector {

    /**
     * @param name as in {@link CheckReport.Finding}
     * @param parent the last state before it; if a quiescent state shows the violation, the state itself
     * @param node the index of the node that makes the last transition
     * @param transition the last transition; null if a quiescent state shows the violation
     */
    public record Violation(
            String name,
            String description,
            int parent,
            int node,
            @Nullable Transition transition) {}

    private final List<Property> properties;
    private final List<Violation> all = new ArrayList<>();
    private volatile int reported; // a bit for each property with a violation
    private volatile int undecided; // a bit for each property that a run did not decide

    ViolationCollector(List<Property> properties) {
        this.properties = properties;
    }

    /** The bits of the properties that have no violation yet. */
    int unreported(int violated) {
        return violated & ~reported;
    }

    synchronized void add(int violated, int parent, int node, @Nullable Transition transition) {
        for (int j = 0; j < properties.size(); j++) {
            if ((violated & ~reported & 1 << j) != 0) {
                var property = properties.get(j);
                all.add(new Violation(property.toString(), property.sentence(), parent, node, transition));
            }
        }
        reported |= violated;
    }

    /** Adds properties, as bits, that the end of a run leaves undecided. */
    synchronized void addUndecided(int properties) {
        undecided |= properties;
    }

    boolean isUndecided(Property property) {
        return (undecided & 1 << properties.indexOf(property)) != 0;
    }

    synchronized void addFailure(RuntimeException failure, int parent, int node, Transition transition) {
        var name = failure instanceof ProtocolBug ? CheckReport.PROTOCOL_BUG : CheckReport.IMPURE;
        if (find(name).isEmpty()) {
            all.add(new Violation(name, String.valueOf(failure.getMessage()), parent, node, transition));
        }
    }

    synchronized Optional<Violation> find(String name) {
        return all.stream().filter(violation -> violation.name.equals(name)).findFirst();
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    synchronized boolean hasAny() {
        return !all.isEmpty();
    }
}
