# The portal for a PostgreSQL elsewhere (DATABASE_URL or DATABASE_URL_FILE). Settings: docs/settings.md.
# The steps are those of `npm run package`: scripts/package/stage.ts.
#
#   docker build --build-arg COMMIT="$(git log -1 --format=%h)" -t licensing-portal .

FROM node:24-bookworm-slim AS build
WORKDIR /src
ARG COMMIT=unknown
COPY . .
RUN node scripts/ready.mjs web \
 && node_modules/.bin/node scripts/package.ts stage /app --without-database

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Licensing Portal"
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin portal \
 && install -d -o portal -g portal /data /backups
COPY --from=build /app /app
# Node brings its own certificates of authorities. Nothing is written but to /data, /tmp and BACKUP_DIR, so the root file system can be
# read-only: docker run --read-only --tmpfs /tmp -v portal-data:/data …
WORKDIR /app
USER 10001
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data PORTAL_ENV=prod
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bin/portal-server"]
