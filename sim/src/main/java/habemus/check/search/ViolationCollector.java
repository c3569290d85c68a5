package habemus.check.search;

import habemus.check.model.CheckReport;
import habemus.check.store.Transition;
import habemus.protocol.ProtocolBug;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first violation of each kind. Levels are walked one after the other, so the first is as near as can be. */
public final class ViolationCollector {

    /**
     * @param name as in {@link CheckReport.Finding}
     * @param parent the last state before it; of a property at rest, the state itself
     * @param node at which the last step is made
     * @param transition the last step; null if nothing happens any more
     */
    public record Violation(
            String name,
            String description,
            int parent,
            int node,
            @Nullable Transition transition) {}

    private final List<Property> properties;
    private final List<Violation> all = new ArrayList<>();
    private volatile int reported; // a bit for each property that is among them
    private volatile int undecided; // a bit for each property of which some run was not followed to its end

    ViolationCollector(List<Property> properties) {
        this.properties = properties;
    }

    /** Those of these properties, a bit each, of which nothing was found yet. */
    int unreported(int violated) {
        return violated & ~reported;
    }

    synchronized void add(int news, int parent, int node, @Nullable Transition transition) {
        for (int j = 0; j < properties.size(); j++) {
            if ((news & ~reported & 1 << j) != 0) {
                var property = properties.get(j);
                all.add(new Violation(property.toString(), property.sentence(), parent, node, transition));
            }
        }
        reported |= news;
    }

    /** Of these properties, a bit each, nothing can be said in the end of some run. */
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
