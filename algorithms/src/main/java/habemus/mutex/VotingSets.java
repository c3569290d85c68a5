package habemus.mutex;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A quorum system: each node is in its own voting set, and any two sets share a node, which votes for one of them. */
public sealed interface VotingSets {

    /**
     * The voting set of the node {@code neighbourhood.self()}.
     *
     * @throws IllegalArgumentException if the construction does not exist for this number of nodes
     */
    NodeSet of(Neighbourhood neighbourhood);

    /** A projective plane if one exists for this number of nodes, else a grid. */
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
     * The row and the column of a node in a grid: 2√n-1 nodes. Each node is in as many sets.
     *
     * <p>If n is no square, the last row is shorter. Any two sets still share a node, because every other row is full.
     * But the sizes differ, up to 2⌈√n⌉-1, and so does the load: a node is in as many sets as its own set has members.
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
     * The lines of a projective plane: q+1 nodes, each in as many sets, which is the minimum. Any two lines share
     * exactly one node. Exists only for n = q²+q+1 nodes, where q is a prime power, 1 (three nodes) or 0 (one node).
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
     * Sets that the user lists. Sizes and loads may differ.
     *
     * @param sets the set of the node with the lowest number first
     */
    record Listed(List<NodeSet> sets) implements VotingSets {
        public Listed {
            sets = List.copyOf(sets);
            for (NodeSet set : sets) {
                for (NodeSet other : sets) {
                    require(!set.intersection(other).isEmpty(), set + " and " + other + " share no node");
                }
            }
        }

        @Override
        public NodeSet of(Neighbourhood neighbourhood) {
            var all = all(neighbourhood);
            require(
                    sets.size() == all.size(),
                    "the number of voting sets must be the number of nodes, " + all.size() + ", was " + sets.size());
            for (int i = 0; i < all.size(); i++) {
                var set = sets.get(i);
                require(set.contains(all.get(i)), all.get(i) + " is not in its own voting set " + set);
                require(set.without(NodeSet.of(all)).isEmpty(), set + " contains a node that does not exist");
            }
            return sets.get(all.indexOf(neighbourhood.self()));
        }

        /** Node numbers separated by commas, sets separated by slashes. */
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

    /** Parses the result of {@code toString}: the name of a construction, or sets such as {@code 1,2/2,3/3,1}. */
    static VotingSets parse(String text) {
        return Stream.of(new Smallest(), new Grid(), new PlaneLines())
                .map(VotingSets.class::cast)
                .filter(construction -> construction.toString().equals(text))
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

    private static void require(boolean isValid, String error) {
        if (!isValid) {
            throw new IllegalArgumentException(error);
        }
    }
}
