package habemus.cli.terminal;

import habemus.harness.ProgressListener;

/** A progress line on standard error, if that is a terminal, from the third second on. Thread-safe. */
public final class ProgressLine implements ProgressListener {

    private static final long INITIAL_DELAY_NANOS = 2_000_000_000L;
    private static final int BAR_WIDTH = 30;

    private final Terminal terminal;
    private final long started = System.nanoTime();
    private boolean shown;

    public ProgressLine(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void show(String what, long done, long all) {
        showText(bar(done, all) + " " + what);
    }

    /** @param expected an estimate: {@code done} may exceed it */
    static String bar(long done, long expected) {
        long all = Math.max(1, Math.max(done, expected));
        int filled = (int) (BAR_WIDTH * done / all);
        return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled) + " " + 100 * done / all + " %";
    }

    /** Shows a text without a bar, where the total is unknown. */
    @Override
    public synchronized void showText(String what) {
        if (terminal.errIsTerminal() && System.nanoTime() - started > INITIAL_DELAY_NANOS) {
            terminal.err().print("\r" + what + "\u001b[K");
            terminal.err().flush();
            shown = true;
        }
    }

    @Override
    public synchronized void clear() {
        if (shown) {
            terminal.err().print("\r\u001b[K");
            terminal.err().flush();
        }
    }
}
