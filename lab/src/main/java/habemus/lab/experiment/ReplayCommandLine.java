package habemus.lab.experiment;

import habemus.lab.command.ShellSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line that reproduces a run: every option that differs from its default, quoted for a shell. */
public final class ReplayCommandLine {

    private ReplayCommandLine() {}

    public static String of(RunArguments arguments) {
        return "./habemus " + tokens(arguments).stream().map(ShellSyntax::quote).collect(Collectors.joining(" "));
    }

    private static List<String> tokens(RunArguments arguments) {
        var line = new ArrayList<>(List.of("run", arguments.algorithm().name()));
        if (!TopologyParser.hasOwnSize(arguments)) {
            line.addAll(List.of(
                    WorldOption.NODES.option(),
                    arguments.value(WorldOption.NODES).text()));
        }
        if (!arguments.has(WorldOption.MOVES)) {
            line.addAll(List.of(
                    WorldOption.SEED.option(), arguments.value(WorldOption.SEED).text()));
        }
        for (WorldOption option : WorldOption.values()) {
            if (option != WorldOption.NODES && option != WorldOption.SEED) {
                arguments.values(option).forEach(value -> add(line, value));
            }
        }
        arguments
                .algorithm()
                .options()
                .forEach(algorithmOption -> arguments.find(algorithmOption).ifPresent(text -> {
                    line.add("--" + algorithmOption.name());
                    if (!algorithmOption.valueSyntax().isEmpty()) {
                        line.add(text);
                    }
                }));
        return line;
    }

    private static void add(List<String> line, OptionValue value) {
        var option = value.option();
        if (option == WorldOption.SWARM) {
            boolean alone = value.text().equals(WorldOption.GUARANTEED);
            line.add(alone ? option.option() : option.option() + "=" + value.text());
        } else if (option.isFlag()) {
            line.add(option.option());
        } else if (option == WorldOption.MOVES || !value.text().equals(option.defaultText())) {
            line.add(option.option());
            line.add(value.text());
        }
    }
}
