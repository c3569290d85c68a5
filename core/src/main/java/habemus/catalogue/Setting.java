package habemus.catalogue;

import habemus.protocol.Ranking;
import java.util.Map;
import java.util.TreeMap;

/** What an algorithm is built from: the choices of its user, and the ranks of the nodes. */
public final class Setting {

    private final Ranking ranking;
    private final Map<String, Object> chosen = new TreeMap<>();

    public Setting(Ranking ranking) {
        this.ranking = ranking;
    }

    /** Everything as it is if nothing is said. */
    public static Setting standard() {
        return new Setting(Ranking.BY_NUMBER);
    }

    public <T> Setting with(Option<T> option, T value) {
        var next = new Setting(ranking);
        next.chosen.putAll(chosen);
        next.chosen.put(option.name(), value);
        return next;
    }

    public Ranking ranking() {
        return ranking;
    }

    @SuppressWarnings("unchecked") // with() put it there under the same option
    public <T> T get(Option<T> option) {
        return (T) chosen.getOrDefault(option.name(), option.standard());
    }
}
