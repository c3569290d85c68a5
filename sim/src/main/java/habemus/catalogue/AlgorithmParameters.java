package habemus.catalogue;

import habemus.protocol.Ranking;
import habemus.world.World;
import java.util.Map;
import java.util.TreeMap;

/** The parameters of an algorithm: the values of its options, the ranking of the nodes, the number of nodes. */
public final class AlgorithmParameters {

    /** The option of every election that compares nodes. */
    public static final AlgorithmOption<Ranking.Best> BEST = AlgorithmOption.choice(
            "best", Ranking.Best.HIGHEST, "whether the highest or the lowest rank, or else number, is the best");

    private final Ranking ranking;
    private final int nodeCount;
    private final Map<String, Object> values = new TreeMap<>();

    /** @param nodeCount the number of nodes; zero if unknown */
    public AlgorithmParameters(Ranking ranking, int nodeCount) {
        this.ranking = ranking;
        this.nodeCount = nodeCount;
    }

    /** The default value of every option, the ranking by number, an unknown number of nodes. */
    public static AlgorithmParameters defaults() {
        return new AlgorithmParameters(Ranking.BY_NUMBER, 0);
    }

    /** Default options for the nodes of this world. */
    public static AlgorithmParameters of(World world) {
        return new AlgorithmParameters(world.ranking(), world.topology().size());
    }

    public AlgorithmParameters withNodeCount(int count) {
        return copy(ranking, count);
    }

    public AlgorithmParameters withRanking(Ranking next) {
        return copy(next, nodeCount);
    }

    public <T> AlgorithmParameters with(AlgorithmOption<T> option, T value) {
        var next = copy(ranking, nodeCount);
        next.values.put(option.name(), value);
        return next;
    }

    private AlgorithmParameters copy(Ranking newRanking, int newNodeCount) {
        var next = new AlgorithmParameters(newRanking, newNodeCount);
        next.values.putAll(values);
        return next;
    }

    /** The ranking of the nodes, in the direction of {@link #BEST} if that option is given. */
    public Ranking ranking() {
        return values.containsKey(BEST.name()) ? ranking.withBest(get(BEST)) : ranking;
    }

    /** For algorithms that assume a known number of nodes. */
    public int nodeCount() {
        return nodeCount;
    }

    @SuppressWarnings("unchecked") // with() stored it for the same option
    public <T> T get(AlgorithmOption<T> option) {
        return (T) values.getOrDefault(option.name(), option.defaultValue());
    }
}
