package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.world.Problem;
import java.util.List;
import java.util.Map;

/** Selects the failure detector of a run: the built-in oracle, or the algorithm named by {@code --detector}. */
final class DetectorSelection {

    private DetectorSelection() {}

    /** The algorithm composed with its detector; unchanged without {@code --detector}. */
    static Algorithm apply(Algorithm named, Map<String, List<String>> given) {
        var names = given.getOrDefault(WorldOption.DETECTOR.option(), List.of());
        if (!names.isEmpty() || named.problem() == Problem.DETECTOR) {
            rejectOracleOption(named, given, WorldOption.DETECT, "sets the delay of the built-in oracle detector");
            rejectOracleOption(
                    named, given, WorldOption.SUSPECT, "is a wrong suspicion of the built-in oracle detector");
        }
        return names.isEmpty() ? named : withDetector(named, names.getFirst());
    }

    private static void rejectOracleOption(
            Algorithm named, Map<String, List<String>> given, WorldOption option, String what) {
        if (given.containsKey(option.option())) {
            var why = named.problem() == Problem.DETECTOR
                    ? named.name() + " is a failure detector itself"
                    : "--detector replaces it";
            throw CommandException.usage(
                    option.option() + " " + what + ", and " + why, "leave " + option.option() + " out");
        }
    }

    private static Algorithm withDetector(Algorithm named, String name) {
        if (!named.acceptsDetector()) {
            throw CommandException.usage(
                    "--detector needs an election that uses a failure detector: " + named.name() + " uses none",
                    "habemus run bully --detector perfect");
        }
        var detectors = Catalogue.ALL.stream()
                .filter(candidate -> candidate.problem() == Problem.DETECTOR)
                .toList();
        return detectors.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .map(named::withDetector)
                .orElseThrow(() -> {
                    var names = detectors.stream().map(Algorithm::name).toList();
                    return CommandException.usage(
                            "unknown detector: '" + name + "'",
                            SpellingSuggestion.hint(name, names) + "detectors: " + String.join(", ", names));
                });
    }
}
