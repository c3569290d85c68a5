package habemus.lab.check;

import habemus.catalogue.Algorithm;
import habemus.check.model.Scope;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.RunArguments;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of a check: the algorithm and its world as for a run, and the text of each option of the check.
 *
 * @param options in the order of {@link CheckOption}
 */
public record CheckArguments(RunArguments world, Map<CheckOption, String> options) {

    public CheckArguments {
        var ordered = new LinkedHashMap<CheckOption, String>();
        for (CheckOption option : CheckOption.values()) {
            var text = options.get(option);
            if (text != null) {
                ordered.put(option, text);
            }
        }
        options = Collections.unmodifiableMap(ordered);
    }

    /** @throws CommandException if the algorithm does not support an option */
    public static CheckArguments of(Algorithm algorithm, Map<String, List<String>> given) {
        var world = new LinkedHashMap<String, List<String>>();
        var options = new LinkedHashMap<CheckOption, String>();
        given.forEach((name, texts) -> CheckOption.find(name)
                .ifPresentOrElse(option -> options.put(option, texts.getFirst()), () -> world.put(name, texts)));
        return new CheckArguments(RunArguments.of(algorithm, world), options);
    }

    public boolean has(CheckOption option) {
        return options.containsKey(option);
    }

    /** The given text, or the default; empty if there is neither. */
    Optional<String> find(CheckOption option) {
        return Optional.ofNullable(options.get(option)).or(() -> option.type().defaultText());
    }

    /** The number of an option that has a number as its type. */
    Optional<Long> number(CheckOption option) {
        return find(option).map(text -> (Long) option.type().parse(option.option(), text));
    }

    /** The number of an option, or another one if it is not given; at most {@link Scope#UNBOUNDED}. */
    int count(CheckOption option, int defaultValue) {
        return (int) Math.min(Scope.UNBOUNDED, number(option).orElse((long) defaultValue));
    }

    /** The number of an option, or 0. */
    int count(CheckOption option) {
        return count(option, 0);
    }
}
