package habemus.web;

import habemus.lab.command.CommandException;
import habemus.lab.diagram.svg.LogSvg;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.diagram.svg.TrafficSvg;
import habemus.lab.diagram.text.Mermaid;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.experiment.Experiment;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import habemus.lab.run.TraceBuffer;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceJson;
import java.util.List;
import java.util.stream.Collectors;

/** A run as a file: the pictures and texts that the command line writes. */
final class Drawing {

    private Drawing() {}

    static String of(Experiment experiment, String kind) {
        return switch (kind) {
            case "svg" -> RunSvg.draw(recording(experiment));
            case "log-svg" -> LogSvg.draw(recording(experiment));
            case "traffic-svg" ->
                TrafficSvg.draw(recording(experiment), experiment.world().topology());
            case "mermaid" -> Mermaid.draw(recording(experiment));
            case "text" -> TextDiagram.draw(recording(experiment), false);
            case "trace-json" -> traceJson(experiment);
            case "shiviz" -> ShiViz.format(fullRecording(experiment));
            case "scenario" -> scenario(experiment);
            default -> throw CommandException.usage("unknown format: '" + kind + "'", "svg, mermaid, text, …");
        };
    }

    /** Without the heartbeats that would hide everything else. */
    private static Recording recording(Experiment experiment) {
        var buffer = TraceBuffer.forDrawing();
        experiment.run(buffer);
        return buffer.recording(experiment);
    }

    private static Recording fullRecording(Experiment experiment) {
        var buffer = new TraceBuffer(TraceBuffer.MAX_EVENTS, false);
        experiment.run(buffer);
        return buffer.recording(experiment);
    }

    private static String traceJson(Experiment experiment) {
        return fullRecording(experiment).events().stream()
                .map(event -> experiment.names().in(TraceJson.of(event, experiment.timeScale())) + "\n")
                .collect(Collectors.joining());
    }

    private static String scenario(Experiment experiment) {
        var header = List.of("# " + experiment.headline());
        var command = "run " + RunDocument.command(experiment.arguments());
        var blank = new Scenario(
                "laboratory", header, List.of(new Scenario.RecordedCommand(List.of(), 1, command, List.of())));
        return ScenarioPlayer.withNewOutputs(blank, ScenarioPlayer.play(blank)).format();
    }
}
