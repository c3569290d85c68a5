package habemus.check;

import habemus.protocol.ProtocolBug;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first violation of each kind. Levels are walked one after the other, so the first is as near as can be. */
final class Findings {

    /**
     * @param name as in {@link Report.Finding}
     * @param parent the last state before it; of a property at rest, the state itself
     * @param node at which the last step is made
     * @param turn the last step; null if nothing happens any more
     */
    record Found(
            String name,
            String words,
            int parent,
            int node,
            @Nullable Turn turn) {}

    private final List<Property> properties;
    private final List<Found> all = new ArrayList<>();
    private volatile int known; // a bit for each property that is among them
    private volatile int open; // a bit for each property of which some run was not followed to its end

    Findings(List<Property> properties) {
        this.properties = properties;
    }

    /** Those of these properties, a bit each, of which nothing was found yet. */
    int news(int violated) {
        return violated & ~known;
    }

    synchronized void add(int news, int parent, int node, @Nullable Turn turn) {
        for (int j = 0; j < properties.size(); j++) {
            if ((news & ~known & 1 << j) != 0) {
                var property = properties.get(j);
                all.add(new Found(property.toString(), property.sentence(), parent, node, turn));
            }
        }
        known |= news;
    }

    /** Of these properties, a bit each, nothing can be said in the end of some run. */
    synchronized void leaveOpen(int properties) {
        open |= properties;
    }

    boolean isOpen(Property property) {
        return (open & 1 << properties.indexOf(property)) != 0;
    }

    synchronized void addFailure(RuntimeException failure, int parent, int node, Turn turn) {
        var name = failure instanceof ProtocolBug ? Report.PROTOCOL_BUG : Report.IMPURE;
        if (find(name).isEmpty()) {
            all.add(new Found(name, String.valueOf(failure.getMessage()), parent, node, turn));
        }
    }

    synchronized Optional<Found> find(String name) {
        return all.stream().filter(found -> found.name.equals(name)).findFirst();
    }

    boolean has(String name) {
        return find(name).isPresent();
    }

    synchronized boolean any() {
        return !all.isEmpty();
    }
}
