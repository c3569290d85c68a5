package habemus.cli.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.world.Problem;
import java.util.List;
import java.util.Map;

/** Which failure detector an algorithm gets: the world's, one of the catalogue beneath it, or none as it is one. */
final class DetectorSelection {

    private DetectorSelection() {}

    /** The algorithm with the detector beneath it that was asked for; as it is if none was. */
    static Algorithm apply(Algorithm named, Map<String, List<String>> given) {
        var names = given.getOrDefault(WorldOption.DETECTOR.option(), List.of());
        if (!names.isEmpty() || named.problem() == Problem.DETECTOR) {
            rejectOracleOption(named, given, WorldOption.DETECT, "says when the world's own detector notices");
            rejectOracleOption(named, given, WorldOption.SUSPECT, "is a mistake of the world's own detector");
        }
        return names.isEmpty() ? named : withDetector(named, names.getFirst());
    }

    private static void rejectOracleOption(
            Algorithm named, Map<String, List<String>> given, WorldOption option, String what) {
        if (given.containsKey(option.option())) {
            var why = named.problem() == Problem.DETECTOR
                    ? named.name() + " is a detector itself"
                    : "--detector takes its place";
            throw CommandException.usage(
                    option.option() + " " + what + ", and " + why, "leave " + option.option() + " out");
        }
    }

    private static Algorithm withDetector(Algorithm named, String name) {
        if (!named.acceptsDetector()) {
            throw CommandException.usage(
                    "--detector is for elections that listen to one, and " + named.name() + " does not",
                    "use it as in habemus run bully --detector perfect");
        }
        var detectors = Catalogue.ALL.stream()
                .filter(one -> one.problem() == Problem.DETECTOR)
                .toList();
        return detectors.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .map(named::withDetector)
                .orElseThrow(() -> {
                    var names = detectors.stream().map(Algorithm::name).toList();
                    return CommandException.usage(
                            "--detector=" + name + ": there is no such detector",
                            SpellingSuggestion.hint(name, names) + "there are " + String.join(", ", names));
                });
    }
}
