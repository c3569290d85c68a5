package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Calls every node by the name of another, in all values that an algorithm or a judge may keep.
 *
 * @param nodes as the topology lists them
 * @param to the index of whose name each gets
 */
record Renaming(List<NodeId> nodes, List<Integer> to) {

    /** All there are: as many as there are orders of the nodes. */
    static List<Renaming> all(List<NodeId> nodes) {
        List<List<Integer>> orders = List.of(List.of());
        for (int size = 0; size < nodes.size(); size++) {
            var longer = new ArrayList<List<Integer>>();
            for (var order : orders) {
                IntStream.range(0, nodes.size()).filter(i -> !order.contains(i)).forEach(i -> {
                    var more = new ArrayList<>(order);
                    more.add(i);
                    longer.add(List.copyOf(more));
                });
            }
            orders = longer;
        }
        return orders.stream().map(order -> new Renaming(nodes, order)).toList();
    }

    /** The one that changes nothing. */
    static Renaming none(List<NodeId> nodes) {
        return new Renaming(nodes, IntStream.range(0, nodes.size()).boxed().toList());
    }

    boolean changesNothing() {
        return IntStream.range(0, to.size()).allMatch(i -> to.get(i) == i);
    }

    /** This one after the other. */
    Renaming after(Renaming first) {
        return new Renaming(nodes, first.to.stream().map(to::get).toList());
    }

    Renaming inverse() {
        return new Renaming(
                nodes, IntStream.range(0, to.size()).mapToObj(to::indexOf).toList());
    }

    int node(int index) {
        return to.get(index);
    }

    NodeId node(NodeId id) {
        int index = nodes.indexOf(id);
        return index < 0 ? id : nodes.get(to.get(index));
    }

    Cell cell(Cell cell) {
        int leader = cell.leader() == 0 ? 0 : node(new NodeId(cell.leader())).number();
        return new Cell(
                node(cell.node()),
                value(cell.state()),
                cell.life(),
                cell.use(),
                cell.left(),
                cell.alarms(),
                value(cell.suspected()),
                leader,
                value(cell.past()));
    }

    /** @throws IllegalArgumentException if it is made of something that no algorithm may keep */
    @SuppressWarnings("unchecked") // it is the same but for the names
    <T> T value(T value) {
        return (T) renamed(value);
    }

    private Object renamed(Object value) {
        return switch (value) {
            case NodeId id -> node(id);
            case NodeSet set -> NodeSet.of(set.toList().stream().map(this::node).toList());
            case List<?> list -> list.stream().map(this::value).toList();
            case SortedMap<?, ?> map -> map(map);
            case Optional<?> some -> some.map(this::value);
            case Record some -> rebuilt(some);
            default -> value;
        };
    }

    private SortedMap<Object, Object> map(Map<?, ?> map) {
        var renamed = new TreeMap<>();
        map.forEach((key, value) -> renamed.put(value(key), value(value)));
        return renamed;
    }

    private Record rebuilt(Record some) {
        var parts = some.getClass().getRecordComponents();
        var types = new Class<?>[parts.length];
        var values = new @Nullable Object[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                types[i] = parts[i].getType();
                var accessor = parts[i].getAccessor();
                accessor.setAccessible(true);
                var part = accessor.invoke(some);
                values[i] = part == null ? null : renamed(part);
            }
            var constructor = some.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException("cannot rename " + some, refused.getCause());
        } catch (ReflectiveOperationException closed) {
            throw new IllegalArgumentException(
                    "cannot look into " + some.getClass().getName(), closed);
        }
    }
}
