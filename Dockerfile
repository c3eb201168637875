# docker build -t voltdesk . — or compose.yaml, which brings TLS and backups along.
# Built by npm alone: nothing here that `npm run release` and `npm ci --omit=dev` do not do without a container.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The image's own Node is the fitting one; no package has a script that is needed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run release -- --to ../release
WORKDIR /release
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
RUN install -d -o node -g node -m 700 /data /backups
WORKDIR /app
COPY --from=build /release ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "server/ops/health-check.js"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=8", "--import", "./server/require-node.js", "server/start.ts"]
