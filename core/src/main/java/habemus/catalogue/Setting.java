package habemus.catalogue;

import habemus.protocol.Ranking;
import habemus.world.World;
import java.util.Map;
import java.util.TreeMap;

/** What an algorithm is built from: the choices of its user, the ranks of the nodes, and how many there are. */
public final class Setting {

    private final Ranking ranking;
    private final int nodes;
    private final Map<String, Object> chosen = new TreeMap<>();

    /** @param nodes how many there are; zero if nobody knows */
    public Setting(Ranking ranking, int nodes) {
        this.ranking = ranking;
        this.nodes = nodes;
    }

    /** Everything as it is if nothing is said. */
    public static Setting standard() {
        return new Setting(Ranking.BY_NUMBER, 0);
    }

    /** The same for the nodes of this world. */
    public static Setting of(World world) {
        return new Setting(world.ranking(), world.topology().size());
    }

    /** The same for so many nodes. */
    public Setting among(int many) {
        return copy(ranking, many);
    }

    /** The same with other ranks. */
    public Setting ranked(Ranking next) {
        return copy(next, nodes);
    }

    public <T> Setting with(Option<T> option, T value) {
        var next = copy(ranking, nodes);
        next.chosen.put(option.name(), value);
        return next;
    }

    private Setting copy(Ranking ranks, int many) {
        var next = new Setting(ranks, many);
        next.chosen.putAll(chosen);
        return next;
    }

    public Ranking ranking() {
        return ranking;
    }

    /** How many there are, for algorithms that assume it to be known. */
    public int nodes() {
        return nodes;
    }

    @SuppressWarnings("unchecked") // with() put it there under the same option
    public <T> T get(Option<T> option) {
        return (T) chosen.getOrDefault(option.name(), option.standard());
    }
}
