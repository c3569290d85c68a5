package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PerNode;
import habemus.protocol.RecordFields;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Comparator;
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
        return index < 0 || targets.get(index) == index ? id : nodes.get(targets.get(index));
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
                permuted(nodeState.causalPast()),
                permuted(nodeState.history()));
    }

    /** @throws IllegalArgumentException if a record in the value cannot be rebuilt */
    @SuppressWarnings("unchecked") // the value keeps its type
    public <T> T permuted(T value) {
        return (T) permutedValue(value);
    }

    private Object permutedValue(Object value) {
        return switch (value) {
            case NodeId id -> node(id);
            case NodeSet set -> permutedSet(set);
            case List<?> list -> permutedList(list);
            case SortedMap<?, ?> map -> permutedMap(map);
            case Optional<?> optional -> optional.map(this::permuted);
            case Record parts -> permutedRecord(parts);
            default -> value;
        };
    }

    private NodeSet permutedSet(NodeSet set) {
        var permuted = NodeSet.NONE;
        for (NodeId node : set) {
            permuted = permuted.with(node(node));
        }
        return permuted.equals(set) ? set : permuted;
    }

    /** A list that is ordered by node, such as the progress of each peer, stays ordered by node. */
    @SuppressWarnings("ReferenceEquality") // a value that does not change is returned itself
    private List<?> permutedList(List<?> list) {
        var permuted = new ArrayList<Object>(list.size());
        boolean changed = false;
        for (Object element : list) {
            var next = permutedValue(element);
            changed |= next != element;
            permuted.add(next);
        }
        if (!changed) {
            return list;
        }
        if (list.getFirst() instanceof PerNode) {
            permuted.sort(Comparator.comparing(element -> ((PerNode) element).node()));
        }
        return List.copyOf(permuted);
    }

    private SortedMap<Object, Object> permutedMap(Map<?, ?> map) {
        var permuted = new TreeMap<>();
        map.forEach((key, value) -> permuted.put(permuted(key), permuted(value)));
        return permuted;
    }

    @SuppressWarnings("ReferenceEquality") // as in permutedList()
    private Record permutedRecord(Record value) {
        var shape = RecordShape.BY_TYPE.get(value.getClass());
        var parts = shape.parts(value);
        boolean changed = false;
        for (int i = 0; i < parts.length; i++) {
            var permuted = parts[i] == null ? null : permutedValue(parts[i]);
            changed |= permuted != parts[i];
            parts[i] = permuted;
        }
        return changed ? shape.create(value, parts) : value;
    }

    /** How to take a record apart and to rebuild it. Looked up once a type, because reflection is slow. */
    private record RecordShape(List<Field> fields, Constructor<?> constructor) {

        private static final ClassValue<RecordShape> BY_TYPE = new ClassValue<>() {
            @Override
            protected RecordShape computeValue(Class<?> type) {
                return of(type);
            }
        };

        private static RecordShape of(Class<?> type) {
            var fields = RecordFields.of(type);
            var types = fields.stream().map(Field::getType).toArray(Class<?>[]::new);
            try {
                var constructor = type.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return new RecordShape(fields, constructor);
            } catch (NoSuchMethodException impossible) {
                throw new IllegalArgumentException("cannot rebuild the record " + type.getName(), impossible);
            }
        }

        @Nullable
        Object[] parts(Record value) {
            var parts = new @Nullable Object[fields.size()];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = RecordFields.get(fields.get(i), value);
            }
            return parts;
        }

        Record create(Record value, @Nullable Object[] parts) {
            try {
                return (Record) constructor.newInstance(parts);
            } catch (InvocationTargetException rejected) {
                throw new IllegalArgumentException("cannot permute the node ids of " + value, rejected.getCause());
            } catch (ReflectiveOperationException inaccessible) {
                throw new IllegalArgumentException(
                        "cannot access the record " + value.getClass().getName(), inaccessible);
            }
        }
    }
}
