package habemus.check.model;

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
 * A permutation of the node ids, applied to all values that an algorithm or a monitor may keep.
 *
 * @param nodes in the order of the topology
 * @param targets the index of the node that replaces each node
 */
public record NodePermutation(List<NodeId> nodes, List<Integer> targets) {

    /** All permutations; the identity is the first. */
    public static List<NodePermutation> all(List<NodeId> nodes) {
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
        return orders.stream().map(order -> new NodePermutation(nodes, order)).toList();
    }

    public static NodePermutation identity(List<NodeId> nodes) {
        return new NodePermutation(
                nodes, IntStream.range(0, nodes.size()).boxed().toList());
    }

    public boolean isIdentity() {
        return IntStream.range(0, targets.size()).allMatch(i -> targets.get(i) == i);
    }

    /** The composition that applies the other permutation first. */
    public NodePermutation after(NodePermutation first) {
        return new NodePermutation(
                nodes, first.targets.stream().map(targets::get).toList());
    }

    public NodePermutation inverse() {
        return new NodePermutation(
                nodes,
                IntStream.range(0, targets.size()).mapToObj(targets::indexOf).toList());
    }

    public int node(int index) {
        return targets.get(index);
    }

    NodeId node(NodeId id) {
        int index = nodes.indexOf(id);
        return index < 0 ? id : nodes.get(targets.get(index));
    }

    public NodeState permutedNodeState(NodeState nodeState) {
        int leader = nodeState.leader() == 0
                ? 0
                : node(new NodeId(nodeState.leader())).number();
        return new NodeState(
                node(nodeState.node()),
                permuted(nodeState.state()),
                nodeState.liveness(),
                nodeState.appState(),
                nodeState.remainingRequests(),
                nodeState.timers(),
                permuted(nodeState.suspected()),
                leader,
                permuted(nodeState.causalPast()));
    }

    /** @throws IllegalArgumentException if a record in the value cannot be rebuilt */
    @SuppressWarnings("unchecked") // the value keeps its type
    public <T> T permuted(T value) {
        return (T) permutedValue(value);
    }

    private Object permutedValue(Object value) {
        return switch (value) {
            case NodeId id -> node(id);
            case NodeSet set -> NodeSet.of(set.toList().stream().map(this::node).toList());
            case List<?> list -> list.stream().map(this::permuted).toList();
            case SortedMap<?, ?> map -> permutedMap(map);
            case Optional<?> optional -> optional.map(this::permuted);
            case Record parts -> permutedRecord(parts);
            default -> value;
        };
    }

    private SortedMap<Object, Object> permutedMap(Map<?, ?> map) {
        var permuted = new TreeMap<>();
        map.forEach((key, value) -> permuted.put(permuted(key), permuted(value)));
        return permuted;
    }

    private Record permutedRecord(Record value) {
        var parts = value.getClass().getRecordComponents();
        var types = new Class<?>[parts.length];
        var values = new @Nullable Object[parts.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                types[i] = parts[i].getType();
                var accessor = parts[i].getAccessor();
                accessor.setAccessible(true);
                var part = accessor.invoke(value);
                values[i] = part == null ? null : permutedValue(part);
            }
            var constructor = value.getClass().getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException rejected) {
            throw new IllegalArgumentException("cannot permute the node ids of " + value, rejected.getCause());
        } catch (ReflectiveOperationException inaccessible) {
            throw new IllegalArgumentException(
                    "cannot access the record " + value.getClass().getName(), inaccessible);
        }
    }
}
