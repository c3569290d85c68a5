package habemus.cli.terminal;

/** Says how far a long command is, to somebody who looks; nothing in the first two seconds. */
public final class ProgressLine {

    private static final long INITIAL_DELAY_NANOS = 2_000_000_000L;
    private static final int BAR_WIDTH = 30;

    private final Terminal terminal;
    private final long started = System.nanoTime();
    private boolean shown;

    public ProgressLine(Terminal terminal) {
        this.terminal = terminal;
    }

    public void show(String what, long done, long all) {
        showText(bar(done, all) + " " + what);
    }

    /** There may be more to do than was expected. */
    static String bar(long done, long expected) {
        long all = Math.max(1, Math.max(done, expected));
        int filled = (int) (BAR_WIDTH * done / all);
        return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled) + " " + 100 * done / all + " %";
    }

    /** Where nobody knows how much there will be. */
    public synchronized void showText(String what) {
        if (terminal.errIsTerminal() && System.nanoTime() - started > INITIAL_DELAY_NANOS) {
            terminal.err().print("\r" + what + "\u001b[K");
            terminal.err().flush();
            shown = true;
        }
    }

    public synchronized void clear() {
        if (shown) {
            terminal.err().print("\r\u001b[K");
            terminal.err().flush();
        }
    }
}
