package habemus.small;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Option;
import habemus.catalogue.Setting;
import habemus.check.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The worlds that are small enough to be looked at wholly, in a moment. */
public final class SmallWorlds {

    /** What an option that is off by itself, and takes a time, is set to where it is on. */
    private static final String A_WHILE = "100";

    /**
     * @param nodes how many there are
     * @param entries how often each asks
     */
    public record Size(int nodes, int entries) {
        @Override
        public String toString() {
            return entries == 0
                    ? nodes + " nodes"
                    : nodes + " nodes, " + (entries == 1 ? "once" : entries == 2 ? "twice" : entries + " times");
        }
    }

    private SmallWorlds() {}

    /** From the one that says least to the one that says most. */
    public static List<Size> sizes(Algorithm algorithm) {
        if (algorithm.isService()) {
            return List.of(new Size(3, 2), new Size(4, 1), new Size(4, 2)); // two of them ask for nothing
        }
        return switch (algorithm.problem()) {
            case MUTEX -> List.of(new Size(2, 2), new Size(3, 1), new Size(3, 2));
            case ELECTION -> List.of(new Size(2, 1), new Size(3, 1), new Size(4, 1));
            case DETECTOR -> List.of(new Size(2, 0), new Size(3, 0), new Size(4, 0));
        };
    }

    /** Everything in order, no hazards. */
    public static Scope scope(Algorithm algorithm, Size size) {
        return scope(algorithm, size, Company.usual(algorithm, size.nodes));
    }

    static Scope scope(Algorithm algorithm, Size size, Company company) {
        return Scope.of(company.topology())
                .ranked(company.ranking())
                .entering(size.entries)
                .passing(algorithm.bypassBound(size.nodes))
                .ringing(algorithm.alarms());
    }

    /** As it stands, and with each of its options that are off turned on, or the other way round, one at a time. */
    public static List<Variant> variants(Algorithm algorithm) {
        var variants = new ArrayList<Variant>();
        variants.add(new Variant("", Setting.standard()));
        algorithm.options().forEach(option -> add(variants, option));
        return List.copyOf(variants);
    }

    /** With each of its options that is a number larger than one set to one, one at a time, the largest first. */
    static List<Variant> frugal(Algorithm algorithm) {
        return algorithm.options().stream()
                .filter(option -> number(option) > 1)
                .sorted(Comparator.comparingInt(SmallWorlds::number).reversed())
                .map(SmallWorlds::one)
                .toList();
    }

    private static int number(Option<?> option) {
        return option.standard() instanceof Integer value ? value : 0;
    }

    private static <T> Variant one(Option<T> option) {
        return new Variant("--" + option.name() + " 1", Setting.standard().with(option, option.read("1")));
    }

    /** @param option as it is written on the command line; empty for the algorithm as it stands */
    public record Variant(String option, Setting setting) {}

    private static <T> void add(List<Variant> variants, Option<T> option) {
        if (option.standard() instanceof Boolean on) {
            var other = Setting.standard().with(option, option.read(Boolean.toString(!on)));
            variants.add(new Variant("--" + option.name() + (on ? " false" : ""), other));
        } else if (option.standard() instanceof Duration time && time.isZero()) {
            var on = Setting.standard().with(option, option.read(A_WHILE));
            variants.add(new Variant("--" + option.name() + " " + A_WHILE, on));
        }
    }
}
