package habemus.mutex;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whom a node asks for a vote. Everybody is in its own set; any two sets share a node, which lets only one in. */
public sealed interface VotingSets {

    /**
     * The voting set of the node that stands there.
     *
     * @throws IllegalArgumentException if there is none for so many nodes
     */
    NodeSet of(Neighbourhood neighbourhood);

    /** A plane where there is one, else a grid. */
    record Smallest() implements VotingSets {
        @Override
        public NodeSet of(Neighbourhood neighbourhood) {
            return (ProjectivePlane.exists(all(neighbourhood).size()) ? new PlaneLines() : new Grid())
                    .of(neighbourhood);
        }

        @Override
        public String toString() {
            return "smallest";
        }
    }

    /**
     * A node's row and its column: 2√n-1 nodes, each in as many sets.
     *
     * <p>If n is no square, the last row is shorter. Any two sets still share a node, because every other row is full;
     * but sizes differ, up to 2⌈√n⌉-1, and so do loads. A node is in as many sets as its own has members.
     */
    record Grid() implements VotingSets {
        @Override
        public NodeSet of(Neighbourhood neighbourhood) {
            var all = all(neighbourhood);
            int width = (int) Math.ceil(Math.sqrt(all.size()));
            int self = all.indexOf(neighbourhood.self());
            return NodeSet.of(IntStream.range(0, all.size())
                    .filter(other -> other / width == self / width || other % width == self % width)
                    .mapToObj(all::get)
                    .toList());
        }

        @Override
        public String toString() {
            return "grid";
        }
    }

    /**
     * The lines of a plane: any two share exactly one node. q+1 nodes, each in as many sets, which is the least there
     * can be; but only for n = q²+q+1 with q a prime, a power of one, or 1 (three nodes) or 0 (one).
     *
     * @see <a href="https://doi.org/10.1090/S0002-9947-1938-1501951-4">Singer, Trans. AMS 43(3), 1938</a>
     */
    record PlaneLines() implements VotingSets {
        @Override
        public NodeSet of(Neighbourhood neighbourhood) {
            var all = all(neighbourhood);
            int self = all.indexOf(neighbourhood.self());
            return NodeSet.of(ProjectivePlane.line(all.size()).stream()
                    .map(distance -> all.get((self + distance) % all.size()))
                    .toList());
        }

        @Override
        public String toString() {
            return "projective-plane";
        }
    }

    /**
     * As somebody has listed them. They need not have equal sizes, nor be equally loaded.
     *
     * @param sets of the node with the lowest number, the next one …
     */
    record Listed(List<NodeSet> sets) implements VotingSets {
        public Listed {
            sets = List.copyOf(sets);
            for (NodeSet one : sets) {
                for (NodeSet other : sets) {
                    require(!one.intersection(other).isEmpty(), one + " and " + other + " share no node");
                }
            }
        }

        @Override
        public NodeSet of(Neighbourhood neighbourhood) {
            var all = all(neighbourhood);
            require(sets.size() == all.size(), all.size() + " nodes need as many voting sets, not " + sets.size());
            for (int i = 0; i < all.size(); i++) {
                var set = sets.get(i);
                require(set.contains(all.get(i)), all.get(i) + " is not in its own voting set " + set);
                require(set.without(NodeSet.of(all)).isEmpty(), set + " names a node that does not exist");
            }
            return sets.get(all.indexOf(neighbourhood.self()));
        }

        /** Nodes between commas, sets between strokes. */
        @Override
        public String toString() {
            return String.join("/", sets.stream().map(Listed::numbers).toList());
        }

        private static String numbers(NodeSet set) {
            return String.join(
                    ",",
                    set.toList().stream()
                            .map(node -> Integer.toString(node.number()))
                            .toList());
        }
    }

    /** What {@code toString} writes: the name of a construction, or sets such as {@code 1,2/2,3/3,1}. */
    static VotingSets parse(String text) {
        return Stream.of(new Smallest(), new Grid(), new PlaneLines())
                .map(VotingSets.class::cast)
                .filter(one -> one.toString().equals(text))
                .findFirst()
                .orElseGet(() -> new Listed(Arrays.stream(text.split("/", -1))
                        .map(VotingSets::parseSet)
                        .toList()));
    }

    private static NodeSet parseSet(String text) {
        return NodeSet.of(Arrays.stream(text.split(",", -1))
                .map(number -> new NodeId(Integer.parseInt(number.trim())))
                .toList());
    }

    private static List<NodeId> all(Neighbourhood neighbourhood) {
        return neighbourhood.peers().with(neighbourhood.self()).toList();
    }

    private static void require(boolean sensible, String otherwise) {
        if (!sensible) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
