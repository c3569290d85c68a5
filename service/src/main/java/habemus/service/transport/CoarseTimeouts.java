package habemus.service.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;

/**
 * Rounds the time that a loop may block up to whole milliseconds. A selector counts in milliseconds. Netty rounds to
 * the nearest one, so a loop spins for the last half millisecond before a timer. Here the timer is late instead, by
 * less than a millisecond.
 */
record CoarseTimeouts(IoHandler handler) implements IoHandler {

    private static final long MILLI_NANOS = 1_000_000;

    static IoHandlerFactory of(IoHandlerFactory factory) {
        return executor -> new CoarseTimeouts(factory.newHandler(executor));
    }

    private record RoundedUp(IoHandlerContext context) implements IoHandlerContext {

        @Override
        public boolean canBlock() {
            return context.canBlock();
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return Math.ceilDiv(context.delayNanos(currentTimeNanos), MILLI_NANOS) * MILLI_NANOS;
        }

        @Override
        public long deadlineNanos() {
            return context.deadlineNanos();
        }

        @Override
        public void reportActiveIoTime(long activeNanos) {
            context.reportActiveIoTime(activeNanos);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return context.shouldReportActiveIoTime();
        }
    }

    @Override
    public int run(IoHandlerContext context) {
        return handler.run(new RoundedUp(context));
    }

    @Override
    public void initialize() {
        handler.initialize();
    }

    @Override
    public void prepareToDestroy() {
        handler.prepareToDestroy();
    }

    @Override
    public void destroy() {
        handler.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return handler.register(handle);
    }

    @Override
    public void wakeup() {
        handler.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return handler.isCompatible(handleType);
    }
}
