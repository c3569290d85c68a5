package habemus.cli.experiment;

import habemus.cli.terminal.ShellSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command that shows a run again: every option that is not as it is anyway, ready for a shell. */
public final class ReplayCommandLine {

    private ReplayCommandLine() {}

    public static String of(RunArguments words) {
        return "./habemus " + tokens(words).stream().map(ShellSyntax::quote).collect(Collectors.joining(" "));
    }

    private static List<String> tokens(RunArguments words) {
        var line = new ArrayList<>(List.of("run", words.algorithm().name()));
        if (!TopologyParser.hasOwnSize(words)) {
            line.addAll(List.of(
                    WorldOption.NODES.option(), words.value(WorldOption.NODES).text()));
        }
        if (!words.has(WorldOption.MOVES)) {
            line.addAll(List.of(
                    WorldOption.SEED.option(), words.value(WorldOption.SEED).text()));
        }
        for (WorldOption option : WorldOption.values()) {
            if (option != WorldOption.NODES && option != WorldOption.SEED) {
                words.values(option).forEach(optionValue -> add(line, optionValue));
            }
        }
        words.algorithm()
                .algorithmOptions()
                .forEach(algorithmOption -> words.find(algorithmOption).ifPresent(text -> {
                    line.add("--" + algorithmOption.name());
                    if (!algorithmOption.valueSyntax().isEmpty()) {
                        line.add(text);
                    }
                }));
        return line;
    }

    private static void add(List<String> line, OptionValue optionValue) {
        var option = optionValue.option();
        if (option == WorldOption.SWARM) {
            boolean alone = optionValue.text().equals(WorldOption.GUARANTEED);
            line.add(alone ? option.option() : option.option() + "=" + optionValue.text());
        } else if (option.isFlag()) {
            line.add(option.option());
        } else if (!optionValue.text().equals(option.defaultText())) {
            line.add(option.option());
            line.add(optionValue.text());
        }
    }
}
