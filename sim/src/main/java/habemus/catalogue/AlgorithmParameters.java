package habemus.catalogue;

import habemus.protocol.Ranking;
import habemus.world.World;
import java.util.Map;
import java.util.TreeMap;

/** What an algorithm is built from: the choices of its user, the ranks of the nodes, and how many there are. */
public final class AlgorithmParameters {

    private final Ranking ranking;
    private final int nodeCount;
    private final Map<String, Object> values = new TreeMap<>();

    /** @param nodes how many there are; zero if nobody knows */
    public AlgorithmParameters(Ranking ranking, int nodes) {
        this.ranking = ranking;
        this.nodeCount = nodes;
    }

    /** Everything as it is if nothing is said. */
    public static AlgorithmParameters defaults() {
        return new AlgorithmParameters(Ranking.BY_NUMBER, 0);
    }

    /** The same for the nodes of this world. */
    public static AlgorithmParameters of(World world) {
        return new AlgorithmParameters(world.ranking(), world.topology().size());
    }

    /** The same for so many nodes. */
    public AlgorithmParameters withNodeCount(int many) {
        return copy(ranking, many);
    }

    /** The same with other ranks. */
    public AlgorithmParameters withRanking(Ranking next) {
        return copy(next, nodeCount);
    }

    public <T> AlgorithmParameters with(AlgorithmOption<T> algorithmOption, T value) {
        var next = copy(ranking, nodeCount);
        next.values.put(algorithmOption.name(), value);
        return next;
    }

    private AlgorithmParameters copy(Ranking ranks, int many) {
        var next = new AlgorithmParameters(ranks, many);
        next.values.putAll(values);
        return next;
    }

    public Ranking ranking() {
        return ranking;
    }

    /** How many there are, for algorithms that assume it to be known. */
    public int nodeCount() {
        return nodeCount;
    }

    @SuppressWarnings("unchecked") // with() put it there under the same option
    public <T> T get(AlgorithmOption<T> algorithmOption) {
        return (T) values.getOrDefault(algorithmOption.name(), algorithmOption.defaultValue());
    }
}
