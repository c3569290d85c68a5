package habemus.cli.web;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ParseResult;

/** {@code habemus lab}: serves the laboratory to a browser on this machine, or writes it as one file. */
public final class LabCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String OUT = "--out";
    private static final String JAVASCRIPT = "--javascript";
    private static final String PORT = "--port";
    private static final String NO_BROWSER = "--no-browser";
    private static final long MAX_PORT = 65_535;

    @Override
    public String name() {
        return "lab";
    }

    @Override
    public String summary() {
        return "Opens the laboratory in the browser: run, interfere, check; or writes it as one file.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[options]")
                .value(SECTION, OUT, "FILE", "writes the laboratory as one HTML file that needs no server, and ends")
                .flag(
                        SECTION,
                        JAVASCRIPT,
                        "writes it for browsers without WebAssembly GC; checks take six times as long")
                .value(SECTION, PORT, "N", NumberOptions.count(), "port on this machine (default: any free port)")
                .flag(SECTION, NO_BROWSER, "prints the address, and opens no browser")
                .helpOption(SECTION)
                .examples("habemus lab", "habemus lab --out lab.html", "habemus lab --port 8000 --no-browser");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var page = LabPage.find();
        var out = ParsedOptions.text(parsed, OUT);
        if (out.isPresent()) {
            if (parsed.hasMatchedOption(PORT) || parsed.hasMatchedOption(NO_BROWSER)) {
                throw CommandException.usage(OUT + " starts no server", "leave out " + PORT + " and " + NO_BROWSER);
            }
            var file = parsed.hasMatchedOption(JAVASCRIPT) ? page.oneJavaScriptFile() : page.oneFile();
            AtomicOutputFile.copy(file, out.get());
            terminal.out().println(out.get() + " holds the whole laboratory: open it in a browser");
            return ExitCode.OK;
        }
        if (parsed.hasMatchedOption(JAVASCRIPT)) {
            throw CommandException.usage(
                    JAVASCRIPT + " is for a file: a served page gives each browser the engine that it runs",
                    "write " + JAVASCRIPT + " " + OUT + " lab.html");
        }
        return serve(page, port(parsed), !parsed.hasMatchedOption(NO_BROWSER), terminal);
    }

    private static int port(ParseResult parsed) {
        long port = ParsedOptions.<Long>find(parsed, PORT).orElse(0L);
        if (port > MAX_PORT) {
            throw CommandException.usage(PORT + " must be at most " + MAX_PORT + ", was " + port, "write --port 8000");
        }
        return (int) port;
    }

    @SuppressWarnings("try") // the signal is used by being open
    private static int serve(LabPage page, int port, boolean opensBrowser, Terminal terminal) {
        var stopped = new CountDownLatch(1);
        try (var signal = new InterruptSignal(stopped::countDown);
                var server = new PageServer(page.served(), port)) {
            terminal.out().println("The laboratory is at " + server.address() + " (Ctrl-C ends it)");
            terminal.flush();
            if (opensBrowser && !Browser.open(server.address())) {
                terminal.err().println("no browser found: open the address yourself");
            }
            stopped.await();
        } catch (IOException unusable) {
            throw CommandException.failure(
                    "cannot listen on port " + port + ": " + unusable.getMessage(), "choose another with " + PORT);
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }
}
