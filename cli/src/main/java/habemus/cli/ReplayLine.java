package habemus.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command that shows a run again: every option that is not as it is anyway, ready for a shell. */
final class ReplayLine {

    private ReplayLine() {}

    static String of(RunWords words) {
        return "./habemus " + words(words).stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    private static List<String> words(RunWords words) {
        var line = new ArrayList<>(List.of("run", words.algorithm().name()));
        if (!TopologyReader.isListed(words)) {
            line.addAll(List.of(
                    WorldOption.NODES.option(), words.one(WorldOption.NODES).text()));
        }
        if (!words.has(WorldOption.MOVES)) {
            line.addAll(List.of(
                    WorldOption.SEED.option(), words.one(WorldOption.SEED).text()));
        }
        for (WorldOption option : WorldOption.values()) {
            if (option != WorldOption.NODES && option != WorldOption.SEED) {
                words.all(option).forEach(given -> add(line, given));
            }
        }
        words.algorithm()
                .options()
                .forEach(option -> words.ifGiven(option).ifPresent(text -> {
                    line.add("--" + option.name());
                    if (!option.form().isEmpty()) {
                        line.add(text);
                    }
                }));
        return line;
    }

    private static void add(List<String> line, Given given) {
        var option = given.option();
        if (option == WorldOption.SWARM) {
            boolean alone = given.text().equals(WorldOption.PROMISED);
            line.add(alone ? option.option() : option.option() + "=" + given.text());
        } else if (option.isFlag()) {
            line.add(option.option());
        } else if (!given.text().equals(option.standard())) {
            line.add(option.option());
            line.add(given.text());
        }
    }
}
