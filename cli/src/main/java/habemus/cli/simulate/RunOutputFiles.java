package habemus.cli.simulate;

import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.lab.command.CommandException;
import habemus.lab.diagram.svg.LogSvg;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.diagram.svg.TrafficSvg;
import habemus.lab.diagram.text.Mermaid;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceJson;
import habemus.lab.trace.TraceText;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The output files of a run. They are opened before the run, so that errors appear early. */
public final class RunOutputFiles implements AutoCloseable {

    private final List<AtomicOutputFile> all = new ArrayList<>();
    private final Optional<AtomicOutputFile> svg;
    private final Optional<AtomicOutputFile> logSvg;
    private final Optional<AtomicOutputFile> mermaid;
    private final Optional<AtomicOutputFile> traffic;
    private final Optional<AtomicOutputFile> trace;
    private final boolean asText;
    private final NodeNames names;
    private final TimeScale timeScale;

    public RunOutputFiles(OutputOptions output, NodeNames names, TimeScale timeScale) {
        this.names = names;
        this.timeScale = timeScale;
        try {
            svg = open(output.svg());
            logSvg = open(output.logSvg());
            mermaid = open(output.mermaid());
            traffic = open(output.traffic());
            trace = open(output.trace().filter(name -> !name.equals("-")));
        } catch (CommandException unwritable) {
            close();
            throw unwritable;
        }
        asText = output.trace().filter(name -> name.endsWith(".txt")).isPresent();
    }

    private Optional<AtomicOutputFile> open(Optional<String> name) {
        var file = name.map(AtomicOutputFile::new);
        file.ifPresent(all::add);
        return file;
    }

    boolean hasTrace() {
        return trace.isPresent();
    }

    public void write(TraceEvent line) {
        trace.ifPresent(file -> {
            if (asText) {
                TraceText.of(line, names, timeScale).forEach(text -> file.write(text + "\n"));
            } else {
                file.write(names.in(TraceJson.of(line, timeScale)) + "\n");
            }
        });
    }

    /** Draws the diagrams and commits all files. */
    public void finish(Supplier<Recording> recording, Topology topology) {
        svg.ifPresent(file -> file.write(RunSvg.draw(recording.get())));
        logSvg.ifPresent(file -> file.write(LogSvg.draw(recording.get())));
        mermaid.ifPresent(file -> file.write(Mermaid.draw(recording.get())));
        traffic.ifPresent(file -> file.write(TrafficSvg.draw(recording.get(), topology)));
        all.forEach(AtomicOutputFile::commit);
    }

    @Override
    public void close() {
        all.forEach(AtomicOutputFile::close);
    }
}
